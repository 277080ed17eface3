# Debian sid in a folder of its own, for its Swift compiler, and where a cross-build keeps what it is made with: outside of
# every checkout. Source it.
# shellcheck shell=bash
# shellcheck source=tools/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# A Debian with a Swift compiler, in it an SDK as the Swift package manager takes it, in that the system to build for.
compiler_root=${XDG_CACHE_HOME:-$HOME/.cache}/tachogram/cross/sid
bundle=$compiler_root/sdks/arm64.artifactbundle
sysroot=$bundle/sysroot
# shellcheck disable=SC2034 # for those who source it
readonly compiler_root bundle sysroot

readonly mirror=http://deb.debian.org/debian
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# The compiler, what it links manifests of packages and programs with, and the libraries that the sources import.
readonly compiler_packages=(
  swiftlang swiftlang-dev libswiftlang lld pkg-config g++
  libsqlite3-dev libdbus-1-dev libbluetooth-dev libssl-dev libcurl4-openssl-dev zlib1g-dev libqrencode-dev
)

# Runs a command in a Debian, with a /proc of its own: inside FOLDER COMMAND …
inside() {
  local folder=$1
  shift
  unshare --mount --pid --fork --kill-child --root="$folder" --mount-proc \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# Fetches a Debian; the archive's signature is checked.
fetch() {
  debootstrap --keyring="$keyring" --force-check-gpg --variant=minbase "$@"
}

# The state of sid on a mirror that is behind is old, but signed all the same: sid_apt FOLDER ARGUMENT …
sid_apt() {
  local folder=$1
  shift
  inside "$folder" apt-get -y -q --no-install-recommends -o Acquire::Check-Valid-Until=false "$@"
}

# Steps are chained: `quietly` looks at the outcome, so that the shell ends at none of them by itself.
make_compiler() {
  local new=$compiler_root.new
  rm -rf "$new" &&
    fetch sid "$new" "$mirror" &&
    cp /etc/resolv.conf "$new/etc/resolv.conf" &&
    printf 'deb [signed-by=%s] %s sid main\n' "$keyring" "$mirror" >"$new/etc/apt/sources.list" &&
    sid_apt "$new" update &&
    sid_apt "$new" install "${compiler_packages[@]}" &&
    sid_apt "$new" clean &&
    mkdir "$new/sdks" "$new/src" "$new/tachogram" &&
    printf '%s\n' "${compiler_packages[*]}" >"$new/packages" &&
    rm -rf "$compiler_root" &&
    mv "$new" "$compiler_root"
}

# Makes sure that the compiler is there: 600 MB are fetched once.
ensure_compiler() {
  ((EUID == 0)) || die "this needs root: the compiler runs in a Debian of its own"
  "$root/tools/lib/packaging/require" debootstrap debian-archive-keyring
  mkdir -p "$(dirname "$compiler_root")"
  {
    flock 9
    [[ -f $compiler_root/packages && $(<"$compiler_root/packages") == "${compiler_packages[*]}" ]] ||
      quietly "Fetching Debian sid for its Swift compiler (once)" "$root/.build/logs/cross-sid.log" make_compiler
  } 9>"$compiler_root.lock"
}
