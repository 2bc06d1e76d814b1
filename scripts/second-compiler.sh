# To be sourced, by scripts that build with two compilers: the usual one, and Debian's rustc-web.
#
# Sets root, ours and theirs (their versions), and defines log, skip (exit code 77), fail and their_cargo. NAME
# is what messages begin with. The second compiler is installed if it can be.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packages=(rustc-web cargo-web)
log() { printf '%s: %s\n' "$NAME" "$*" >&2; }
skip() { log "skipped: $*"; exit 77; }
fail() { log "failed: $*"; exit 1; }

if [[ ! -x /usr/bin/rustc || ! -x /usr/bin/cargo ]]; then
    command -v apt-get >/dev/null || skip "no apt-get, and no /usr/bin/cargo of another compiler"
    [[ $(id -u) == 0 ]] || skip "/usr/bin/cargo is missing; install ${packages[*]} as root and try again"
    log "installing ${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null 2>&1 ||
        { apt-get update -qq >/dev/null 2>&1 &&
            apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null 2>&1; } ||
        skip "apt-get cannot install ${packages[*]} (no network?); install them and try again"
fi
ours=$(rustc --version | cut -d' ' -f1,2)
theirs=$(/usr/bin/rustc --version | cut -d' ' -f1,2)
[[ $ours != "$theirs" ]] || skip "both compilers are $ours; the proof needs two"

# Their cargo, with a build folder that all builds by the second compiler share.
their_cargo() {
    env -u RUSTC_WRAPPER -u RUSTFLAGS PATH=/usr/bin:/bin RUSTC=/usr/bin/rustc \
        CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}/out-of-tree" /usr/bin/cargo "$@"
}
