# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# Redis 6 or newer: plain, durable (an acknowledged write survives kill), TLS with a password and a named user, TLS that
# demands a client certificate, and a cluster of three.

redis_install() {
  need redis-server redis-server
  need redis-cli redis-tools
  case $VARIANT in *tls) need openssl openssl ;; esac
}

redis_version() { redis-server --version | sed -E 's/.*v=([0-9.]+).*/redis \1/'; }

redis_prepare() {
  local count=1 index hosts=
  fact VERSION "$(redis_version)"
  case $VARIANT in
  *tls)
    fact HOST localhost
    make_certificates
    fact PASSWORD "$(random_password)"
    fact USERNAME ycsb
    fact USER_PASSWORD "$(random_password)"
    ;;
  *)
    fact HOST 127.0.0.1
    ;;
  esac
  [ "$VARIANT" != redis-cluster ] || count=3
  for index in $(seq "$count"); do redis_node "$index"; done
  if [ "$count" -gt 1 ]; then
    for index in $(seq "$count"); do hosts+=,127.0.0.1:${facts[PORT_$index]}; done
    fact HOSTS "${hosts#,}"
  fi
  case $VARIANT in
  *tls) fact URL "rediss://:${facts[PASSWORD]}@localhost:${facts[PORT]}/" ;;
  *) fact URL "redis://127.0.0.1:${facts[PORT]}/" ;;
  esac
}

redis_node() {
  local name=n$1 home=$DIR/n$1 port setting
  port=$(free_port)
  fact "PORT_$1" "$port"
  [ "$1" != 1 ] || fact PORT "$port"
  mkdir -p "$home"
  {
    echo 'bind 127.0.0.1'
    echo 'daemonize no'
    echo "dir \"$home\""
    # Too long a path for a socket would keep the server from starting.
    [ ${#home} -gt 90 ] || echo "unixsocket \"$home/redis.sock\""
    redis_variant_settings "$port"
    for setting in "${settings[@]}"; do echo "${setting%%=*} ${setting#*=}"; done
  } >"$home/redis.conf"
  chmod 600 "$home/redis.conf"
  [ ${#home} -gt 90 ] || [ "$1" != 1 ] || fact SOCKET "$home/redis.sock"
  node "$name" redis-server "$home/redis.conf"
}

redis_variant_settings() {
  case $VARIANT in
  redis-durable) printf '%s\n' "port $1" 'appendonly yes' 'appendfsync always' ;;
  redis-cluster) printf '%s\n' "port $1" 'cluster-enabled yes' 'cluster-config-file nodes.conf' 'cluster-node-timeout 3000' ;;
  *tls)
    printf '%s\n' 'port 0' "tls-port $1" "requirepass ${facts[PASSWORD]}" \
      "user ${facts[USERNAME]} on >${facts[USER_PASSWORD]} ~* &* +@all" \
      "tls-cert-file \"$certificates/server.crt\"" "tls-key-file \"$certificates/server.key\"" \
      "tls-ca-cert-file \"$certificates/ca.pem\""
    if [ "$VARIANT" = redis-tls ]; then echo 'tls-auth-clients no'; else echo 'tls-auth-clients yes'; fi
    ;;
  *) echo "port $1" ;;
  esac
  [ "$VARIANT" = redis-durable ] || printf '%s\n' 'save ""' 'appendonly no'
}

# redis_cli PORT ARGUMENT...: redis-cli as this server wants it; the password goes by the environment, out of sight of ps.
redis_cli() {
  local port=$1 tls=()
  shift
  case $VARIANT in
  *tls) tls=(--tls --cacert "${facts[CA_FILE]}" --cert "${facts[CLIENT_CERT_FILE]}" --key "${facts[CLIENT_KEY_FILE]}") ;;
  esac
  env ${facts[PASSWORD]:+"REDISCLI_AUTH=${facts[PASSWORD]}"} timeout 5 redis-cli -h "${facts[HOST]}" -p "$port" "${tls[@]}" "$@"
}

redis_answers() { [ "$(redis_cli "$1" ping)" = PONG ]; }

redis_settle() {
  local name
  load_facts
  for name in $(selected_nodes); do
    wait_until "$name answers PING" redis_answers "${facts[PORT_${name#n}]}"
  done
  if [ "$VARIANT" = redis-cluster ] && service_running; then
    if ! service_complete; then
      # shellcheck disable=SC2086
      timeout 60 redis-cli --cluster create ${facts[HOSTS]//,/ } --cluster-replicas 0 --cluster-yes >"$DIR/create.log" 2>&1 ||
        fail "redis-cli --cluster create: $(tail -n 1 "$DIR/create.log")"
    fi
    for name in $(selected_nodes); do
      wait_until "$name sees the whole cluster" redis_cluster_whole "${facts[PORT_${name#n}]}"
    done
  fi
}

redis_cluster_whole() {
  local info
  info=$(redis_cli "$1" cluster info)
  [[ $info == *cluster_state:ok* && $info == *cluster_known_nodes:3* ]]
}

redis_properties() {
  printf '%s\n' "redis.host=${facts[HOST]}" "redis.port=${facts[PORT]}"
  case $VARIANT in
  redis-cluster) echo redis.cluster=true ;;
  *tls) printf '%s\n' redis.tls=true "redis.tls_ca=${facts[CA_FILE]}" "redis.password=${facts[PASSWORD]}" ;;
  esac
  if [ "$VARIANT" = redis-mutual-tls ]; then
    printf '%s\n' "redis.tls_cert=${facts[CLIENT_CERT_FILE]}" "redis.tls_key=${facts[CLIENT_KEY_FILE]}"
  fi
}
