#!/usr/bin/env bash
# Measures the world against SPIN on the same graph, one thread each.
#
#   model/peer/bench.sh [ROUNDS] [BOUND...]    such as: bench.sh 5 attempts=2 error=0
#
# In each round SPIN, the world, and the world reduced run one after the other, so that a busy machine is busy for all
# three; the figures are medians. Another count of states or transitions than SPIN's is an error. PAN_FLAGS adds to what
# SPIN's search is compiled with. At the end: how long the whole review takes of every contract in docs/contracts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
contract=docs/contracts/orders.toml
rounds=5
if [[ "${1:-}" =~ ^[0-9]+$ ]]; then rounds=$1; shift; fi

fail() { printf 'bench: %s\n' "$*" >&2; exit 1; }

packages=()
command -v spin >/dev/null || packages+=(spin)
command -v gcc >/dev/null || packages+=(gcc libc6-dev)
[[ -x /usr/bin/time ]] || packages+=(time)
if ((${#packages[@]})); then
    [[ $(id -u) -eq 0 ]] || fail "please install: sudo apt-get install ${packages[*]}"
    command -v apt-get >/dev/null || fail "please install: ${packages[*]}"
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${packages[@]}" >&2
fi

cargo build --quiet --release --locked --package idempotency-model --example bench
cargo build --quiet --release --locked --package idempotency-cli
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
world=$target/release/examples/bench
idem=$target/release/idem
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

read -ra bounds <<<"$("$world" defines "$contract" "$@")"
(
    cp model/peer/everything.pml "$folder"
    cd "$folder"
    # -o2: a variable that is only written counts too.
    spin -o2 -a "${bounds[@]}" everything.pml >&2
    # shellcheck disable=SC2086
    gcc -O3 -DSAFETY -DNOREDUCE ${PAN_FLAGS:-} -o pan pan.c
)

# measured NAME COMMAND...: one line of wall seconds, processor seconds, largest kB, states, transitions, SPIN's own MB.
measured() {
    local name=$1 wall user system kilobytes states transitions own=-
    shift
    /usr/bin/time -f '%e %U %S %M' -o "$folder/time" "$@" >"$folder/out" || fail "$* failed"
    read -r wall user system kilobytes <"$folder/time"
    if [[ $name == spin ]]; then
        grep -q 'errors: 0' "$folder/out" || fail "SPIN found an error: $(grep -m1 pan: "$folder/out")"
        ! grep -q 'max search depth too small' "$folder/out" || fail 'SPIN did not search everything'
        states=$(awk '/states, stored/ { print $1 }' "$folder/out")
        # Its first transition leads to the start.
        transitions=$(awk '/transitions \(=/ { print $1 - 1 }' "$folder/out")
        own=$(awk '/total actual memory/ { print $1 }' "$folder/out")
    else
        read -r _ states transitions _ <<<"$(tail -n 1 "$folder/out")"
    fi
    printf '%s %s %s %s %s %s %s\n' "$name" "$wall" "$(awk "BEGIN { print $user + $system }")" "$kilobytes" \
        "$states" "$transitions" "${own:--}"
}

# The hash table of SPIN gets one slot for each state, to the next power of two: less is slower, more is memory.
read -r _ states _ <<<"$("$world" raw "$contract" "$@")"
slots=10
while ((1 << slots < states)); do slots=$((slots + 1)); done

printf 'bounds: %s\nspin %s, gcc -O3 -DSAFETY -DNOREDUCE%s, pan -E -m10000 -w%d; medians of %d rounds\n\n' \
    "${bounds[*]}" "$(spin -V | sed 's/^Spin Version \([^ ]*\).*/\1/')" "${PAN_FLAGS:+ $PAN_FLAGS}" "$slots" "$rounds"
for ((round = 0; round < rounds; round++)); do
    measured spin "$folder/pan" -E -m10000 "-w$slots"
    measured raw "$world" raw "$contract" "$@"
    measured reduced "$world" reduced "$contract" "$@"
done >"$folder/rounds"

awk -v own_file="$folder/spin" '
    function median(name, column,    values, count, i, j, swap) {
        for (i = 1; i <= NR; i++) if (names[i] == name) values[++count] = table[i, column]
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && values[j] < values[j - 1]; j--) {
                swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
            }
        return count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
    }
    function row(name, title,    cpu, rate) {
        cpu = median(name, 3)
        rate = (cpu > 0) ? int(median(name, 5) / cpu) : "-"
        printf "%-16s %9d %12d %8.2f %8.2f %12s %8.1f %9s\n", title, median(name, 5), median(name, 6),
            median(name, 2), cpu, rate, median(name, 4) / 1024, (name == "spin") ? own : "-"
    }
    function ratio(what, column,    base) {
        base = median("spin", column)
        if (base > 0)
            printf "%-16s %9.2f %16.2f\n", what, median("raw", column) / base, median("reduced", column) / base
    }
    {
        names[NR] = $1
        for (i = 2; i <= 6; i++) table[NR, i] = $i + 0
        if ($1 == "spin") { states = $5; transitions = $6; own = $7 }
        if ($1 == "raw" && ($5 != states || $6 != transitions)) { print "bench: the graphs differ: " $0; differ = 1 }
    }
    END {
        printf "%-16s %9s %12s %8s %8s %12s %8s %9s\n", "", "states", "transitions", "wall s", "cpu s",
            "states/cpu s", "RSS MB", "pan says"
        row("spin", "SPIN"); row("raw", "world"); row("reduced", "world, reduced")
        printf "\n%-16s %9s %16s\n", "against SPIN", "world", "world, reduced"
        ratio("cpu time", 3); ratio("wall time", 2); ratio("memory", 4)
        print median("spin", 3) > own_file
        exit differ
    }
' "$folder/rounds"

printf '\nthe whole review of a contract, its stories and remedies too, against SPIN on the one above\n\n'
printf '%-24s %8s %8s %12s\n' contract 'cpu s' 'RSS MB' 'cpu / SPIN'
for file in docs/contracts/*.toml; do
    code=0
    /usr/bin/time -q -f '%U %S %M' -o "$folder/time" "$idem" review "$file" >/dev/null || code=$?
    ((code == 0 || code == 1)) || fail "the review of $file ended with $code"
    awk -v name="$(basename "$file" .toml)" -v spin="$(<"$folder/spin")" '{
        cpu = $1 + $2
        printf "%-24s %8.2f %8.1f %12s\n", name, cpu, $3 / 1024, (spin > 0) ? sprintf("%.2f", cpu / spin) : "-"
    }' "$folder/time"
done
