# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# Plain clients for scripts/services-test: one record written and read with the server's own tools, from nothing but what
# `services env` prints. $server names the server.

# value KEY: one of the assignments of `services env`.
value() { "$services" env "$server" | sed -n "s/^$1='\(.*\)'\$/\1/p"; }

# Whether an acknowledged record must survive SIGKILL.
is_durable() {
  case $server in
  redis-durable@* | postgresql* | elasticsearch* | opensearch* | mongodb@* | mongodb-auth@* | mongodb-tls@*) ;;
  *) return 1 ;;
  esac
}

client_write() { "client_$(client_kind)" write "$1"; }
client_read() { "client_$(client_kind)" read "$1"; }

client_kind() {
  case $server in
  redis*) echo redis ;;
  postgresql*) echo postgresql ;;
  mongodb*) echo mongodb ;;
  *) echo elasticsearch ;;
  esac
}

client_redis() {
  local options=(-h "$(value HOST)" -p "$(value PORT)")
  case $server in
  redis-cluster@*) options+=(-c) ;;
  redis-mutual-tls@*)
    options+=(--tls --cacert "$(value CA_FILE)" --cert "$(value CLIENT_CERT_FILE)" --key "$(value CLIENT_KEY_FILE)")
    ;;
  redis-tls@*) options+=(--tls --cacert "$(value CA_FILE)" --user "$(value USERNAME)") ;;
  esac
  local password
  password=$(value PASSWORD)
  case $server in redis-tls@*) password=$(value USER_PASSWORD) ;; esac
  local client=(env ${password:+"REDISCLI_AUTH=$password"} timeout 5 redis-cli "${options[@]}")
  case $1 in
  write) [ "$("${client[@]}" set "$2" stored)" = OK ] ;;
  read) [ "$("${client[@]}" get "$2")" = stored ] ;;
  esac
}

client_postgresql() {
  local psql options=() sql="SELECT value FROM probe WHERE key = '$2'"
  psql=$(printf '%s\n' /usr/lib/postgresql/*/bin/psql | sort -V | tail -n 1)
  if [ "$1" = write ]; then
    sql="CREATE TABLE IF NOT EXISTS probe (key text PRIMARY KEY, value text); INSERT INTO probe VALUES ('$2', 'stored')"
  fi
  case $server in
  postgresql-tls@*) options=(PGSSLMODE=verify-full "PGSSLROOTCERT=$(value CA_FILE)") ;;
  esac
  env "${options[@]}" PGPASSWORD="$(value PASSWORD)" PGCONNECT_TIMEOUT=3 PGOPTIONS='-c client_min_messages=warning' \
    timeout 5 "$psql" -X -A -t -q -v ON_ERROR_STOP=1 -h "$(value HOST)" -p "$(value PORT)" -U "$(value USERNAME)" \
    -d "$(value DATABASE)" -c "$sql" >"$work/answer" || return 1
  [ "$1" = write ] || [ "$(cat "$work/answer")" = stored ]
}
