# The libraries that libfreeplay stands on, as targets: PkgConfig::FREEPLAY_IPOPT, _JANSSON and
# _LAPACK, freeplay::udunits2, Threads::Threads. Names of those not found go to freeplay_missing.
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

# Debian's UDUNITS has no pkg-config file.
find_path(FREEPLAY_UDUNITS_INCLUDE_DIR udunits2.h PATH_SUFFIXES udunits2)
find_library(FREEPLAY_UDUNITS_LIBRARY udunits2)
mark_as_advanced(FREEPLAY_UDUNITS_INCLUDE_DIR FREEPLAY_UDUNITS_LIBRARY)
if(NOT FREEPLAY_UDUNITS_INCLUDE_DIR OR NOT FREEPLAY_UDUNITS_LIBRARY)
  list(APPEND freeplay_missing udunits2)
elseif(NOT TARGET freeplay::udunits2)
  add_library(freeplay::udunits2 INTERFACE IMPORTED)
  target_include_directories(freeplay::udunits2 INTERFACE "${FREEPLAY_UDUNITS_INCLUDE_DIR}")
  target_link_libraries(freeplay::udunits2 INTERFACE "${FREEPLAY_UDUNITS_LIBRARY}")
endif()

find_package(Threads QUIET)
if(NOT Threads_FOUND)
  list(APPEND freeplay_missing threads)
endif()
