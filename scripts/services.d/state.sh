# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# What is known of a service and of its processes: facts, nodes, pid files, signals.
#
# A service is a folder $SERVICES_DIR/NAME with
#   facts      KEY='value' lines: address, credentials, certificate files; what `services env` prints
#   nodes      the names of its processes, in starting order
#   settings   what --setting gave
#   complete   present once the service has answered for the first time
#   NODE/      command (arguments, each ended by a zero byte), pid (number and start time), log, data
# A file services.d/KIND.sh has these functions:
#   KIND_install     makes the programs available, or calls cannot_install
#   KIND_prepare     empty folder -> facts, configuration, `node` for each process
#   KIND_settle      waits until every running node answers; the first time creates what a fresh server lacks
#   KIND_relaunch    optional: what has to be cleared away before a killed node is launched again
#   KIND_properties  prints name=value lines for $BINDING (empty: the binding named like the server)

say() { echo "$SERVICE: $1"; }

complain() { echo "services: $SERVICE: $1" >&2; }

fail() {
  complain "$1"
  exit 1
}

present_services() {
  local folder
  for folder in "$SERVICES_DIR"/*/nodes; do
    [ -e "$folder" ] && basename "$(dirname "$folder")"
  done
  return 0
}

service_complete() { [ -e "$DIR/complete" ]; }

refuse_other_settings() {
  [ ${#settings[@]} -gt 0 ] || return 0
  [ "$(printf '%s\n' "${settings[@]}")" = "$(cat "$DIR/settings")" ] ||
    fail "was started with other settings; end it with scripts/services down $SERVICE, or choose a name $VARIANT@TAG"
}

# fact KEY VALUE: remembers one for this and later calls. Values never hold a quote or a line end.
declare -A facts=()
fact() {
  facts[$1]=$2
  printf "%s='%s'\n" "$1" "$2" >>"$DIR/facts"
}

load_facts() {
  local line key
  facts=()
  while IFS= read -r line; do
    key=${line%%=*} line=${line#*=\'}
    facts[$key]=${line%\'}
  done <"$DIR/facts"
}

# A loopback port that nobody uses, and whose number + 10000 (Redis' cluster bus) is unused too. It lies below the
# ephemeral ports: no outgoing connection can take it while its server is killed.
free_port() {
  local port
  for _ in $(seq 500); do
    port=$((12000 + RANDOM % 10000))
    if ! port_in_use "$port" && ! port_in_use $((port + 10000)) && ! grep -qs "'$port'" "$SERVICES_DIR"/*/facts; then
      echo "$port"
      return
    fi
  done
  fail "found no free port between 12000 and 22000"
}

port_in_use() {
  local hex
  hex=$(printf ':%04X ' "$1")
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '{print $2 " "}' | grep -q "$hex"
}

# outside_folder PARENT: a folder of this service elsewhere, where its own path will not do; it ends with the service.
outside_folder() {
  mktemp -d "$1/ycsb-host-services.XXXXXX" | tee -a "$DIR/outside"
}

random_password() { openssl rand -hex 12; }

# node NAME COMMAND...: registers a process of this service; run_as, if set, is the user that it runs as.
node() {
  local name=$1
  shift
  mkdir -p "$DIR/$name"
  [ -z "${run_as:-}" ] || set -- setpriv --reuid="$run_as" --regid="$run_as" --init-groups "$@"
  printf '%s\0' "$@" >"$DIR/$name/command"
  grep -qsx "$name" "$DIR/nodes" || echo "$name" >>"$DIR/nodes"
}

# The nodes that a command is for, one a line.
selected_nodes() {
  [ -s "$DIR/nodes" ] || return 0
  if [ -z "$NODE" ]; then
    cat "$DIR/nodes"
  else
    grep -x -- "$NODE" "$DIR/nodes" || fail "has no node \"$NODE\", only: $(paste -sd ' ' "$DIR/nodes")"
  fi
}

launch_nodes() {
  local name nodes
  nodes=$(selected_nodes)
  for name in $nodes; do
    node_pid "$name" >/dev/null || launch_node "$name"
  done
}

launch_node() {
  local home=$DIR/$1 argv
  mapfile -d '' -t argv <"$home/command"
  rm -f "$home/pid"
  # The process itself writes its pid before it becomes the server, so that none is ever without a pid file.
  (
    cd "$home" || exit
    ulimit -n "$(ulimit -Hn)"
    # shellcheck disable=SC2016
    setsid --fork bash -c '
      stat=$(</proc/$$/stat) && stat=(${stat##*) })
      echo "$$ ${stat[19]}" >pid.new && mv pid.new pid
      exec "$@"' launch "${argv[@]}" >>log 2>&1 </dev/null 9>&- 8>&-
  )
  for _ in $(seq 100); do
    [ -e "$home/pid" ] && return
    sleep 0.05
  done
  fail "node $1 could not be launched; see $home/log"
}

# Prints the pid of a node that runs. A pid that the system has since given to another program has another start time.
node_pid() {
  local pid started now
  [ -s "$DIR/$1/pid" ] || return 1
  read -r pid started <"$DIR/$1/pid"
  now=$(process_fields "$pid") || return 1
  read -r state _ now <<<"$now"
  [ "$now" = "$started" ] && [ "$state" != Z ] && [ "$state" != X ] && echo "$pid"
}

# State, parent and start time of a process.
process_fields() {
  local stat
  { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
  # The program's name, in brackets, may hold blanks and brackets itself.
  # shellcheck disable=SC2206
  stat=(${stat##*) })
  echo "${stat[0]} ${stat[1]} ${stat[19]}"
}

# A process and all its descendants, parents first. PostgreSQL's backends are in no process group of its own.
process_tree() {
  local parents
  parents=$(cat /proc/[0-9]*/stat 2>/dev/null | sed -E 's/^([0-9]+) \(.*\) . ([0-9]+) .*/\1 \2/')
  awk -v root="$1" '
    { children[$2] = children[$2] " " $1 }
    END { todo = root; while (todo != "") { n = split(todo, p, " "); todo = "";
      for (i = 1; i <= n; i++) { print p[i]; todo = todo children[p[i]] } sub(/^ +/, "", todo) } }' <<<"$parents"
}

signal_nodes() {
  local signal=$1 word=$2 name nodes pid tree
  [ -s "$DIR/nodes" ] || fail "does not run; start it with scripts/services up $SERVICE"
  nodes=$(selected_nodes)
  for name in $nodes; do
    pid=$(node_pid "$name") || fail "node $name does not run"
    tree=$(process_tree "$pid")
    signal_tree "$signal" "$pid"
    [ "$signal" != KILL ] || await_exit 30 "$tree" || fail "node $name survived SIGKILL"
  done
  say "$word ${nodes//$'\n'/ }"
}

signal_tree() {
  local signal=$1 pid before='' tree
  tree=$(process_tree "$2")
  # A parent can have a child while it is about to be stopped: look again until no new one is seen.
  while [ "$tree" != "$before" ]; do
    for pid in $tree; do kill -s "$signal" "$pid" 2>/dev/null || true; done
    before=$tree tree=$(process_tree "$2")
    [ "$signal" = STOP ] || break
  done
}

# await_exit SECONDS PIDS: until none of them runs. A process that only waits to be reaped has ended.
await_exit() {
  local deadline=$((SECONDS + $1)) pid
  for pid in $2; do
    while process_fields "$pid" | grep -qv '^Z'; do
      [ "$SECONDS" -lt "$deadline" ] || return 1
      sleep 0.05
    done
  done
}

# Ends a node as its own documentation would, and by force after ten seconds. Its children end with it.
end_node() {
  local pid tree
  pid=$(node_pid "$1") || return 0
  tree=$(process_tree "$pid")
  kill -s "${end_signal:-TERM}" "$pid" 2>/dev/null || true
  signal_tree CONT "$pid"
  if ! await_exit 10 "$tree"; then
    for pid in $tree; do kill -s KILL "$pid" 2>/dev/null || true; done
    await_exit 10 "$tree" || fail "node $1 survived SIGKILL (pids ${tree//$'\n'/ })"
  fi
}

# Ends all nodes, last first, keeps their logs and deletes everything else.
remove_service() {
  local name outside end_signal=
  [ -d "$DIR" ] || return 0
  [ "$KIND" != postgresql ] || end_signal=INT
  if [ -s "$DIR/nodes" ]; then
    for name in $(tac "$DIR/nodes"); do
      end_node "$name"
      mkdir -p "$SERVICES_DIR/logs"
      [ ! -e "$DIR/$name/log" ] || mv "$DIR/$name/log" "$SERVICES_DIR/logs/$SERVICE-$name.log"
    done
  fi
  if [ -s "$DIR/outside" ]; then
    while IFS= read -r outside; do rm -rf -- "$outside"; done <"$DIR/outside"
  fi
  rm -rf -- "$DIR"
}

# running: every node; partly: some; stopped: one or more by SIGSTOP; killed: none, data kept; down: no data.
service_state() {
  local name pid states=
  if [ ! -s "$DIR/nodes" ]; then
    echo down
    return
  fi
  while read -r name; do
    if pid=$(node_pid "$name"); then
      states+=$(process_fields "$pid" | cut -c1)
    else
      states+=-
    fi
  done <"$DIR/nodes"
  case $states in
  *T*) echo stopped ;;
  *[!-]*-* | *-*[!-]*) echo partly ;;
  *-*) echo killed ;;
  *) echo running ;;
  esac
}

service_running() { [ "$(service_state)" = running ]; }

# Address, version and pids, for people.
service_address() {
  local name pids=
  [ -s "$DIR/facts" ] || return 0
  load_facts
  while read -r name; do pids+=" $(node_pid "$name" || echo -)"; done <"$DIR/nodes"
  echo "${facts[HOSTS]:-${facts[HOST]}:${facts[PORT]}}  ${facts[VERSION]:-}  pid$pids"
}

# wait_until WHAT COMMAND...: repeats the command until it succeeds, a node ends or the time is up.
wait_until() {
  local what=$1 deadline=$((SECONDS + ${SERVICES_TIMEOUT_SECONDS:-120})) name
  shift
  until "$@" >/dev/null 2>&1; do
    for name in $(selected_nodes); do
      node_pid "$name" >/dev/null || fail "node $name ended: $(tail -n 3 "$DIR/$name/log" | paste -sd ' ')"
    done
    [ "$SECONDS" -lt "$deadline" ] || fail "gave up waiting until $what (SERVICES_TIMEOUT_SECONDS sets for how long)"
    sleep 0.1
  done
}
