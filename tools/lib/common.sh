# Shared by the shell tools; source it. Sets `root` (the repository) and gives say, die and release_binary.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly root

# Tells people what is going on, on stderr: stdout belongs to data.
say() {
  printf '%s\n' "$*" >&2
}

die() {
  say "error: $*"
  exit 1
}

# Runs the command that stands behind a verb, if the first argument is the name of one: behind VERB "$@". They are the
# executables in tools/lib/VERB.
behind() {
  local verb=$1 name=${2-}
  if [[ $name =~ ^[a-z][a-z-]*$ && -f $root/tools/lib/$verb/$name && -x $root/tools/lib/$verb/$name ]]; then
    exec "$root/tools/lib/$verb/$name" "${@:3}"
  fi
}

# Prints the commands behind a verb, each with the first line of what it says of itself: list_behind VERB
list_behind() {
  local file
  for file in "$root/tools/lib/$1"/*; do
    [[ -f $file && -x $file && ${file##*/} != *.* ]] || continue
    printf '  %-24s %s\n' "${file##*/}" "$(sed -nE '2{s/^(# |""")//;s/(: tools\/.*)?(""")?$//;p;q}' "$file")"
  done
}

# The step of how many that a build has reached by its log, such as `, step 45 of 512`; nothing for other logs.
build_step() {
  tail -c 2000 "$1" 2>/dev/null | grep -aoE '\[[0-9]+/[0-9]+\]' | tail -n 1 |
    sed -E 's|\[([0-9]+)/([0-9]+)\]|, step \1 of \2|' || true
}

# Runs a command with its output in a log file, which is shown only when the command fails. Prints the progress: on a terminal
# each second, elsewhere each half minute.
quietly() {
  local title=$1 log=$2 started=$SECONDS ticker
  shift 2
  mkdir -p "$(dirname "$log")"
  say "$title …"
  if [[ -t 2 ]]; then
    (while sleep 1 &>/dev/null; do
      printf '\r\033[K%s … %d s%s' "$title" $((SECONDS - started)) "$(build_step "$log")" >&2
    done) &
  else
    (while sleep 30 &>/dev/null; do say "$title … $((SECONDS - started)) s$(build_step "$log")"; done) &
  fi
  ticker=$!
  local status=0
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  if ((status != 0)); then
    cat "$log" >&2
    die "$title failed after $((SECONDS - started)) s; the log is $log"
  fi
}

# Swift with those variables alone that it, git or a proxy may need: SwiftPM reads the manifests of all packages anew, which
# takes half a minute, whenever any other has changed, as SHLVL has in a script that a script calls.
lean_swift() {
  local name
  local -a kept=()
  while IFS= read -r name; do
    case $name in
      PATH | HOME | TMPDIR | XDG_CACHE_HOME | XDG_CONFIG_HOME | *_proxy | *_PROXY | SSL_CERT_* | GIT_* | \
        CC | CXX | PKG_CONFIG* | SWIFT* | *SAN_OPTIONS | TACHOGRAM_*) kept+=("$name=${!name}") ;;
    esac
  done < <(compgen -e)
  env -i LC_ALL=C.UTF-8 "${kept[@]}" swift "$@"
}

# What tells one build of a binary from another: its time and size, the packages and the compiler. build_mark BINARY
build_mark() {
  printf '%s %s %s\n' "$(stat --dereference --format '%Y %s' "$1")" "$(cksum <"$root/Package.resolved")" \
    "$(readlink -f "$(command -v swift)")"
}

# Whether a binary is that of the build that a stamp tells of, and nothing that it is made of has changed since: is_current
# BINARY STAMP. The package manager takes seconds to find that out.
is_current() {
  local changed
  [[ -x $1 && -f $2 && -f $root/Package.resolved && $(<"$2") == "$(build_mark "$1")" ]] || return 1
  changed=$(find "$root/Package.swift" "$root/Sources" "$root/tools/lib/common.sh" -newer "$2" -print -quit) ||
    return 1
  [[ -z $changed ]]
}

# Prints the path of an executable of the release build, building it first. TACHOGRAM_BINARY names another `tachogram`.
release_binary() {
  local product=${1:-tachogram}
  if [[ $product == tachogram && -n ${TACHOGRAM_BINARY:-} ]]; then
    [[ -x $TACHOGRAM_BINARY ]] || die "TACHOGRAM_BINARY is $TACHOGRAM_BINARY, which cannot be run"
    printf '%s\n' "$TACHOGRAM_BINARY"
    return
  fi
  "$root/tools/lib/setup" build || exit 1
  local binary=$root/.build/release/$product stamp=$root/.build/logs/built-$product begun
  if ! is_current "$binary" "$stamp"; then
    mkdir -p "$(dirname "$stamp")"
    begun=$(mktemp "$stamp.XXXXXX") || die "$stamp cannot be written"
    quietly "Building $product (the first time takes some minutes)" "$root/.build/logs/build-$product.log" \
      lean_swift build --package-path "$root" -c release --static-swift-stdlib -debug-info-format none \
      --product "$product"
    [[ -x $binary ]] || die "the build made no $binary"
    # With the time of the beginning: what changes during a build may not be in it.
    build_mark "$binary" >"$begun.made" && touch --reference "$begun" "$begun.made" && mv "$begun.made" "$stamp"
    rm -f "$begun"
  fi
  printf '%s\n' "$binary"
}
