# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# Plain clients for scripts/services-test: one record written and read with the server's own tools, from nothing but what
# `services env` prints. $server names the server.

# value KEY: one of the assignments of `services env`.
value() {
  case $1 in
  *PASSWORD) [ -z "${other_password:-}" ] || { echo "$other_password" && return; } ;;
  esac
  "$services" env "$server" | sed -n "s/^$1='\(.*\)'\$/\1/p"
}

has_password() { [ -n "$(value PASSWORD)" ]; }
has_tls() { [ -n "$(value CA_FILE)" ]; }

read_with_wrong_password() {
  local other_password=wrong
  client_read "$1"
}

# tls_handshake CA_FILE OPTION...: whether a client that trusts this authority and checks the name accepts the server.
tls_handshake() {
  local start=()
  case $server in postgresql*) start=(-starttls postgres) ;; esac
  timeout 10 openssl s_client -brief -connect "127.0.0.1:$(value PORT)" -CAfile "$1" -verify_return_error "${@:2}" \
    -cert "$(value CLIENT_CERT_FILE)" -key "$(value CLIENT_KEY_FILE)" "${start[@]}" </dev/null
}

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

# The Python driver that comes with the wheel; it also speaks to the in-memory server.
client_mongodb() {
  local url python
  url=$(value URL)
  case $server in
  mongodb-auth@*) url+="?authSource=$(value AUTH_DATABASE)" ;;
  mongodb-tls@*) url+="?tls=true&tlsCAFile=$(value CA_FILE)" ;;
  esac
  python=$services_dir/install/secantusdb/bin/python
  [ -x "$python" ] || { "$services" up mongodb@driver && "$services" down mongodb@driver; }
  PROBE_USERNAME=$(value USERNAME) PROBE_PASSWORD=$(value PASSWORD) timeout 20 "$python" -c '
import os, sys, pymongo
url, action, key = sys.argv[1:]
login = {"username": os.environ["PROBE_USERNAME"], "password": os.environ["PROBE_PASSWORD"]}
client = pymongo.MongoClient(url, serverSelectionTimeoutMS=3000, socketTimeoutMS=3000, **(login if login["username"] else {}))
probe = client.get_default_database().get_collection("probe", write_concern=pymongo.WriteConcern(w=1, j=True))
if action == "write":
    probe.insert_one({"_id": key, "value": "stored"})
else:
    assert probe.find_one({"_id": key})["value"] == "stored"
' "$url" "$1" "$2"
}

client_elasticsearch() {
  local options=(-fsS -m 5 -o "$work/answer") login=''
  case $server in
  elasticsearch-haproxy@*)
    options+=(--cacert "$(value CA_FILE)")
    login="user = \"$(value USERNAME):$(value PASSWORD)\""
    ;;
  esac
  case $1 in
  write)
    curl "${options[@]}" -K - -X PUT -H 'content-type: application/json' -d '{"value":"stored"}' \
      "$(value URL)/probe/_create/$2" <<<"$login"
    ;;
  read) curl "${options[@]}" -K - "$(value URL)/probe/_source/$2" <<<"$login" && grep -q '"stored"' "$work/answer" ;;
  esac
}
