# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# Elasticsearch 7.10.2 and 7.17.28 and OpenSearch 2.19.6, one node or two, from Maven artifacts. They have no security
# module; TLS and passwords come from haproxy in front (haproxy.sh).
#
# For tests Java runs with its quick compiler and an archive of loaded classes: ready in a few seconds. NAME-warm runs with
# the optimising compiler, for benchmarks that warm the server up first.

elasticsearch_engine() {
  case $VARIANT in
  opensearch*) echo opensearch ;;
  *) echo elasticsearch ;;
  esac
}

elasticsearch_release() {
  case $VARIANT in
  opensearch*) echo 2.19.6 ;;
  elasticsearch717*) echo 7.17.28 ;;
  *) echo 7.10.2 ;;
  esac
}

elasticsearch_folder() { echo "$SERVICES_DIR/install/$(elasticsearch_engine)-$(elasticsearch_release)"; }

elasticsearch_install() {
  local log4j=2.17.2
  [ "$(elasticsearch_engine)" != opensearch ] || log4j=2.25.4
  need curl curl
  need_java
  maven_artifacts "$(elasticsearch_folder)" "$here/services.d/java/search-node.xml" "$here/services.d/java/SearchNode.java" \
    "engine=$(elasticsearch_engine)" "engine.version=$(elasticsearch_release)" "log4j.version=$log4j"
  [ -e "$(elasticsearch_folder)/classes.jsa" ] || exclusively elasticsearch_archive_classes
}

# elasticsearch_java FOLDER: sets java_words to the command without the node's own settings; java_extra goes in.
elasticsearch_java() {
  local folder jar path='' heap=${SERVICES_HEAP:-512m}
  folder=$(elasticsearch_folder)
  # A fixed order: the archive is of use only with the class path that it was made with.
  for jar in "$folder"/lib/*.jar; do path+=:$jar; done
  [ "$VARIANT" != elasticsearch7-two-node ] || heap=${SERVICES_HEAP:-256m}
  java_words=("$(java_home)/bin/java" "-Xms$heap" "-Xmx$heap" -XX:+UseSerialGC -XX:-UsePerfData
    -Dfile.encoding=UTF-8 -Djava.awt.headless=true "-Djava.io.tmpdir=$1/tmp" -Dlog4j2.StatusLogger.level=OFF
    -Dlog4j2.formatMsgNoLookups=true -Dio.netty.allocator.numDirectArenas=0 "${java_extra[@]}" -cp "${path#:}" SearchNode "$1")
  mkdir -p "$1/tmp"
}

# Starts and ends a node once, so that Java writes the archive of the classes that it loaded.
elasticsearch_archive_classes() {
  local folder scratch port pid java_words java_extra
  folder=$(elasticsearch_folder)
  [ ! -e "$folder/classes.jsa" ] || return 0
  echo "services: writing the class archive of $(basename "$folder")" >&2
  scratch=$folder/scratch
  rm -rf "$scratch" && mkdir -p "$scratch"
  port=$(free_port)
  java_extra=(-XX:TieredStopAtLevel=1 "-XX:ArchiveClassesAtExit=$folder/classes.jsa.new")
  elasticsearch_java "$scratch"
  "${java_words[@]}" "http.port=$port" "transport.port=$((port + 10000))" >"$scratch/log" 2>&1 </dev/null 9>&- 8>&- &
  pid=$!
  for _ in $(seq 600); do
    if elasticsearch_healthy "$port" 1 || ! kill -0 "$pid" 2>/dev/null; then break; fi
    sleep 0.2
  done
  # One document and one search load the classes that the first requests of a test would have to load.
  curl -fsS -m 20 -o "$scratch/answer" -H 'content-type: application/json' -d '{"field0":"x"}' \
    "http://127.0.0.1:$port/archive/_doc/1?refresh=true" 2>>"$scratch/log" || true
  curl -fsS -m 20 -o "$scratch/answer" "http://127.0.0.1:$port/archive/_search" 2>>"$scratch/log" || true
  kill "$pid" 2>/dev/null || true
  wait "$pid" || true
  [ -s "$folder/classes.jsa.new" ] ||
    cannot_install "$(basename "$folder") did not run: $(tail -n 3 "$scratch/log" | paste -sd ' ')"
  mv "$folder/classes.jsa.new" "$folder/classes.jsa"
  rm -rf "$scratch"
}

elasticsearch_prepare() {
  fact VERSION "$(elasticsearch_engine) $(elasticsearch_release)"
  fact HOST 127.0.0.1
  if [ "$VARIANT" = elasticsearch7-two-node ]; then
    elasticsearch_two_nodes
  else
    fact PORT "$(free_port)"
    elasticsearch_node n1 "${facts[PORT]}"
  fi
  fact URL "http://127.0.0.1:${facts[PORT]}"
}

# The second node holds data only, so that the first goes on alone when the second is killed.
elasticsearch_two_nodes() {
  local first second cluster
  first=$(free_port)
  fact PORT "$first"
  fact PORT_1 "$first"
  second=$(free_port)
  fact PORT_2 "$second"
  fact HOSTS "127.0.0.1:$first,127.0.0.1:$second"
  cluster=(discovery.type= "discovery.seed_hosts=127.0.0.1:$((first + 10000))" cluster.initial_master_nodes=n1)
  elasticsearch_node n1 "$first" "${cluster[@]}"
  elasticsearch_node n2 "$second" "${cluster[@]}" node.roles=data
}

# elasticsearch_node NAME PORT [SETTING...]; the port for other nodes is PORT + 10000.
elasticsearch_node() {
  local name=$1 port=$2 java_words java_extra=()
  shift 2
  case $VARIANT in
  *-warm) ;;
  *) java_extra=(-XX:TieredStopAtLevel=1) ;;
  esac
  java_extra+=("-XX:SharedArchiveFile=$(elasticsearch_folder)/classes.jsa")
  elasticsearch_java "$DIR/$name"
  node "$name" "${java_words[@]}" "node.name=$name" "http.port=$port" "transport.port=$((port + 10000))" "$@" \
    "${settings[@]}"
}

# Health and not the first answer: after a restart the data is there seconds later.
elasticsearch_healthy() {
  curl -fs -m 5 -o /dev/null "http://127.0.0.1:$1/_cluster/health?wait_for_status=yellow&wait_for_nodes=$2&timeout=4s"
}

elasticsearch_settle() {
  local name port count=1
  load_facts
  # While one of two is killed, the other is healthy alone.
  if [ "$VARIANT" = elasticsearch7-two-node ] && service_running; then count=2; fi
  for name in $(selected_nodes); do
    port=${facts[PORT_${name#n}]:-${facts[PORT]}}
    wait_until "$name is healthy" elasticsearch_healthy "$port" "$count"
  done
}

elasticsearch_properties() { echo "es.hosts.list=${facts[HOSTS]:-${facts[HOST]}:${facts[PORT]}}"; }
