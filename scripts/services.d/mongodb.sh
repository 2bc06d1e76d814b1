# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# Servers of the MongoDB protocol; MongoDB's own is in none of the package registries. For tests the Python wheel
# secantusdb (durable, passwords, TLS; at most 1,000 connections), for benchmarks the Java library mongo-java-server
# (mongodb-fast: everything in memory, several times faster). Both are separate processes and never linked.

mongodb_wheel=secantusdb==0.7.0b3

mongodb_folder() {
  if [ "$VARIANT" = mongodb-fast ]; then
    echo "$SERVICES_DIR/install/mongo-java-server"
  else
    echo "$SERVICES_DIR/install/secantusdb"
  fi
}

mongodb_install() {
  if [ "$VARIANT" = mongodb-fast ]; then
    need_java
    maven_artifacts "$(mongodb_folder)" "$here/services.d/java/mongo-java-server.xml" "$here/services.d/java/MemoryMongo.java"
  else
    python_packages "$(mongodb_folder)" "$mongodb_wheel"
  fi
  need openssl openssl
}

mongodb_prepare() {
  local host=127.0.0.1
  case $VARIANT in
  mongodb-fast) fact VERSION 'mongo-java-server 1.47.0' ;;
  *) fact VERSION "${mongodb_wheel/==/ }" ;;
  esac
  if [ "$VARIANT" = mongodb-tls ]; then
    host=localhost
    make_certificates
  fi
  fact HOST "$host"
  fact PORT "$(free_port)"
  fact DATABASE ycsb
  fact URL "mongodb://$host:${facts[PORT]}/ycsb"
  case $VARIANT in
  mongodb-fast)
    [ ${#settings[@]} = 0 ] || fail "has no settings"
    node server "$(java_home)/bin/java" -Djava.net.preferIPv4Stack=true "-Xmx${SERVICES_HEAP:-512m}" \
      -cp "$(mongodb_folder)/lib/*" MemoryMongo "${facts[PORT]}"
    ;;
  mongodb-tls)
    mongodb_node --tls-cert-file "$certificates/server.crt" --tls-key-file "$certificates/server.key" \
      --tls-ca-file "$certificates/ca.pem"
    ;;
  mongodb-auth)
    mongodb_node
    mongodb_add_user
    mongodb_node --auth
    ;;
  *) mongodb_node ;;
  esac
}

mongodb_node() {
  local setting options=()
  for setting in "${settings[@]}"; do
    options+=("--${setting%%=*}")
    [ -z "${setting#*=}" ] || options+=("${setting#*=}")
  done
  mkdir -p "$DIR/server"
  # An empty configuration file, so that it looks for none in the user's home.
  : >"$DIR/server/empty.toml"
  node server "$(mongodb_folder)/bin/secantusd-py" --config "$DIR/server/empty.toml" --host 127.0.0.1 \
    --port "${facts[PORT]}" --storage-path "$DIR/server/data" --standalone --cache-size 256M --log-level WARNING \
    "$@" "${options[@]}"
}

# The first user can only be made while the server asks nobody who they are.
mongodb_add_user() {
  fact USERNAME ycsb
  fact PASSWORD "$(random_password)"
  fact AUTH_DATABASE admin
  launch_nodes
  wait_until "it answers ping" mongodb_ping "mongodb://127.0.0.1:${facts[PORT]}/"
  YCSB_PASSWORD=${facts[PASSWORD]} mongodb_python "mongodb://127.0.0.1:${facts[PORT]}/" '
client.admin.command("createUser", "ycsb", pwd=os.environ["YCSB_PASSWORD"], roles=["root"],
                     mechanisms=["SCRAM-SHA-256"])' >"$DIR/create.log" 2>&1 ||
    fail "could not create the user: $(tail -n 1 "$DIR/create.log")"
  end_node server
}

# mongodb_python URL STATEMENTS: with `client` connected to the URL.
mongodb_python() {
  timeout 20 "$(mongodb_folder)/bin/python" -c "
import os, sys, pymongo
client = pymongo.MongoClient(sys.argv[1], serverSelectionTimeoutMS=3000, socketTimeoutMS=5000)
$2" "$1"
}

mongodb_ping() { mongodb_python "$1" 'client.admin.command("ping")'; }

mongodb_answers() {
  case $VARIANT in
  # It is there for benchmarks, whose machines need no Python: a connection has to do.
  mongodb-fast) (exec 3<>"/dev/tcp/127.0.0.1/${facts[PORT]}") ;;
  mongodb-tls) mongodb_ping "${facts[URL]}?tls=true&tlsCAFile=${facts[CA_FILE]}" ;;
  mongodb-auth) mongodb_ping "mongodb://ycsb:${facts[PASSWORD]}@127.0.0.1:${facts[PORT]}/?authSource=admin" ;;
  *) mongodb_ping "${facts[URL]}" ;;
  esac
}

mongodb_settle() {
  load_facts
  wait_until "it answers ping" mongodb_answers
}

mongodb_properties() {
  echo "mongodb.url=${facts[URL]}"
  case $VARIANT in
  mongodb-auth)
    printf '%s\n' "mongodb.username=${facts[USERNAME]}" "mongodb.password=${facts[PASSWORD]}" \
      "mongodb.authdb=${facts[AUTH_DATABASE]}"
    ;;
  mongodb-tls) echo "mongodb.tls_ca_file=${facts[CA_FILE]}" ;;
  esac
}
