# The libraries that libfreeplay stands on, as targets: PkgConfig::FREEPLAY_IPOPT, _JANSSON and
# _LAPACK, freeplay::udunits2, ::dmumps_seq, ::metis and ::amd, Threads::Threads. Names of those not
# found go to freeplay_missing.
# Read by the build and, for a static library, by the installed package.
set(freeplay_missing)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(FREEPLAY_IPOPT QUIET IMPORTED_TARGET "ipopt>=3.11")
  pkg_check_modules(FREEPLAY_JANSSON QUIET IMPORTED_TARGET jansson)
  pkg_check_modules(FREEPLAY_LAPACK QUIET IMPORTED_TARGET lapack)
  foreach(freeplay_module IN ITEMS IPOPT JANSSON LAPACK)
    if(NOT FREEPLAY_${freeplay_module}_FOUND)
      string(TOLOWER ${freeplay_module} freeplay_module)
      list(APPEND freeplay_missing ${freeplay_module})
    endif()
  endforeach()
else()
  list(APPEND freeplay_missing pkg-config)
endif()

# Libraries whose Debian packages have no pkg-config file: freeplay::<library>, and its path in
# FREEPLAY_<library>_LIBRARY.
function(freeplay_find_library library header)
  find_path(FREEPLAY_${library}_INCLUDE_DIR ${header} PATH_SUFFIXES ${ARGN})
  find_library(FREEPLAY_${library}_LIBRARY ${library})
  mark_as_advanced(FREEPLAY_${library}_INCLUDE_DIR FREEPLAY_${library}_LIBRARY)
  if(NOT FREEPLAY_${library}_INCLUDE_DIR OR NOT FREEPLAY_${library}_LIBRARY)
    set(freeplay_missing ${freeplay_missing} ${library} PARENT_SCOPE)
  elseif(NOT TARGET freeplay::${library})
    add_library(freeplay::${library} INTERFACE IMPORTED)
    target_include_directories(freeplay::${library} INTERFACE "${FREEPLAY_${library}_INCLUDE_DIR}")
    target_link_libraries(freeplay::${library} INTERFACE "${FREEPLAY_${library}_LIBRARY}")
  endif()
endfunction()
freeplay_find_library(udunits2 udunits2.h udunits2)
freeplay_find_library(dmumps_seq dmumps_c.h mumps_seq)
freeplay_find_library(metis metis.h)
freeplay_find_library(amd amd.h suitesparse)

find_package(Threads QUIET)
if(NOT Threads_FOUND)
  list(APPEND freeplay_missing threads)
endif()
