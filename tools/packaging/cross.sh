# Where a cross-build keeps what it is made with: outside of every checkout. Source it.
# shellcheck shell=bash
# shellcheck source=tools/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

# A Debian with a Swift compiler, in it an SDK as the Swift package manager takes it, in that the system to build for.
compiler_root=${XDG_CACHE_HOME:-$HOME/.cache}/tachogram/cross/sid
bundle=$compiler_root/sdks/arm64.artifactbundle
sysroot=$bundle/sysroot
# shellcheck disable=SC2034 # for those who source it
readonly compiler_root bundle sysroot
