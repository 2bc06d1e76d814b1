# To be sourced, by scripts that build with two compilers: the usual one, and Debian's rustc-web.
#
# Sets root, ours and theirs (their versions), and defines log, skip (exit code 77), fail, their_cargo, and what both
# proofs do with a host and a binding: phase and kit. NAME is what messages begin with. The second compiler is
# installed if it can be.
# shellcheck shell=bash disable=SC2153,SC2154

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

# Their cargo, with a build folder that all builds by the second compiler share. Nothing is measured here, so that it
# builds as fast as it can.
their_cargo() {
    env -u RUSTC_WRAPPER -u RUSTFLAGS PATH=/usr/bin:/bin RUSTC=/usr/bin/rustc CARGO_INCREMENTAL=0 \
        CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=false \
        CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}/out-of-tree" /usr/bin/cargo "$@"
}

records=1000 operations=2000

# phase load|run WANTED ARGUMENT...: a phase of workload A, on the host and the binding (words of the command line)
# of these names, in the folder work. All operations have to go well.
phase() {
    local name=$1 wanted=$2 status=0
    shift 2
    "$host" "$name" "${binding[@]}" -P "$root/workloads/workloada" -p "recordcount=$records" \
        -p "operationcount=$operations" -threads 4 "$@" >"$work/$name.out" 2>"$work/$name.err" || status=$?
    if [[ $status != 0 ]]; then
        cat "$work/$name.out" "$work/$name.err" >&2
        fail "$name ended with $status"
    fi
    # "[READ], Operations, 1003" of the operations that the workload asks for, "[READ], Return=OK, 1003" of
    # those that went well: both have to add up to what was asked for.
    local kinds='INSERT|READ|UPDATE'
    local done_count ok_count
    done_count=$(awk -F', ' -v kinds="^\\\\[($kinds)\\\\]$" '$1 ~ kinds && $2 == "Operations" { n += $3 } END { print n + 0 }' "$work/$name.out")
    ok_count=$(awk -F', ' -v kinds="^\\\\[($kinds)\\\\]$" '$1 ~ kinds && $2 == "Return=OK" { n += $3 } END { print n + 0 }' "$work/$name.out")
    if [[ $done_count != "$wanted" || $ok_count != "$wanted" ]]; then
        cat "$work/$name.out" >&2
        fail "$name did $done_count operations, $ok_count of them OK; wanted $wanted"
    fi
    log "$name: $ok_count operations OK"
}

# kit ARGUMENT...: the conformance kit; no rule may fail.
kit() {
    local status=0
    "$host" check "${binding[@]}" "$@" >"$work/check.out" 2>"$work/check.err" || status=$?
    if [[ $status != 0 ]]; then
        grep -A 2 '^FAIL' "$work/check.out" >&2 || true
        cat "$work/check.err" >&2
        fail "the kit ended with $status"
    fi
    log "kit: $(tail -1 "$work/check.out")"
}
