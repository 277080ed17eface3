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

# Runs a command with its output in a log file, which is shown only when the command fails.
quietly() {
  local title=$1 log=$2 started=$SECONDS ticker=
  shift 2
  mkdir -p "$(dirname "$log")"
  if [[ -t 2 ]]; then
    (while sleep 1; do printf '\r%s … %d s' "$title" $((SECONDS - started)) >&2; done) &
    ticker=$!
  fi
  say "$title …"
  local status=0
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [[ -n $ticker ]]; then
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    printf '\r\033[K' >&2
  fi
  if ((status != 0)); then
    cat "$log" >&2
    die "$title failed after $((SECONDS - started)) s; the log is $log"
  fi
}

# Prints the path of an executable of the release build, building it first. TACHOGRAM_BINARY names another `tachogram`.
release_binary() {
  local product=${1:-tachogram}
  if [[ $product == tachogram && -n ${TACHOGRAM_BINARY:-} ]]; then
    [[ -x $TACHOGRAM_BINARY ]] || die "TACHOGRAM_BINARY is $TACHOGRAM_BINARY, which cannot be run"
    printf '%s\n' "$TACHOGRAM_BINARY"
    return
  fi
  "$root/tools/setup" build || exit 1
  quietly "Building $product (the first time takes some minutes)" "$root/.build/logs/build-$product.log" \
    swift build --package-path "$root" -c release --static-swift-stdlib --product "$product"
  printf '%s/%s\n' "$(swift build --package-path "$root" -c release --show-bin-path)" "$product"
}
