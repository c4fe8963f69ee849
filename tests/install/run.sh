#!/bin/sh
# Installs freeplay into an empty folder, then builds and runs the project beside this file against
# that copy, with CMake's find_package and with cc and pkg-config.
# Usage: run.sh SOURCE BUILD SCRATCH [shared]; with "shared" BUILD is not used but a shared library
# is built first. CC, CMAKE and GENERATOR name the tools.
set -eu
source=$1 build=$2 scratch=$3 kind=${4-built}
here=$source/tests/install
cc=${CC:-cc} cmake=${CMAKE:-cmake}
if [ -n "${GENERATOR-}" ]; then
    export CMAKE_GENERATOR="$GENERATOR"
fi

rm -rf "$scratch"
mkdir -p "$scratch"
if [ "$kind" = shared ]; then
    build=$scratch/build
    "$cmake" -S "$source" -B "$build" -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF
    "$cmake" --build "$build" --parallel 2
fi
prefix=$scratch/prefix
"$cmake" --install "$build" --prefix "$prefix"

# The copy must stand alone, also after it was moved.
mv "$prefix" "$scratch/moved"
prefix=$scratch/moved
pc=$(find "$prefix" -name freeplay.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH

if [ "$kind" = shared ]; then
    # Nothing but fp_* is visible.
    strangers=$(nm -D --defined-only --format=posix "$(dirname "$PKG_CONFIG_PATH")/libfreeplay.so" |
        grep -v '^fp_' || true)
    if [ -n "$strangers" ]; then
        echo "exported without the prefix fp_: $strangers" >&2
        exit 1
    fi
    static=
else
    static=--static
fi

echo "== find_package"
"$cmake" -S "$here" -B "$scratch/outside" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$scratch/outside"
"$scratch/outside/outside"

# The flags are for a shell: blanks in them are escaped.
echo "== pkg-config"
flags=$(pkg-config --cflags --libs $static freeplay)
eval "\"\$cc\" \"\$here/main.c\" -o \"\$scratch/plain\" $flags -lm"
"$scratch/plain"

echo "== the command"
"$prefix/bin/freeplay" --version
