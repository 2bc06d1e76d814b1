# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# PostgreSQL: SCRAM-SHA-256 passwords; with TLS, plain connections are refused and a client certificate can log in.
# Roles: ycsb (owner of the database ycsb), ycsb_md5 (an md5 password, as old set-ups have), ycsb_cert (TLS only).

# The folder of initdb, postgres and psql; Debian keeps it out of PATH.
postgresql_bin() {
  local folder
  for folder in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -Vr) "$(dirname "$(readlink -f "$(command -v postgres || echo /)")")"; do
    if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && [ -x "$folder/psql" ]; then
      echo "$folder"
      return
    fi
  done
  return 1
}

postgresql_install() {
  postgresql_bin >/dev/null || exclusively apt_install postgresql
  postgresql_bin >/dev/null || cannot_install "apt-get installed postgresql but there is no program initdb"
  need openssl openssl
  [ "$(id -u)" != 0 ] || id postgres >/dev/null 2>&1 || cannot_install "there is no user postgres, and root may not run it"
}

postgresql_version() { "$(postgresql_bin)/postgres" --version | sed -E 's/.* ([0-9.]+).*/postgresql \1/'; }

postgresql_prepare() {
  local bin data run_as='' setting
  bin=$(postgresql_bin)
  fact VERSION "$(postgresql_version)"
  fact DATABASE ycsb
  fact USERNAME ycsb
  fact PASSWORD "$(random_password)"
  fact MD5_USERNAME ycsb_md5
  fact MD5_PASSWORD "$(random_password)"
  fact CERT_USERNAME ycsb_cert
  if [ "$VARIANT" = postgresql-tls ]; then
    fact HOST localhost
    make_certificates
  else
    fact HOST 127.0.0.1
  fi
  fact PORT "$(free_port)"
  fact URL "jdbc:postgresql://${facts[HOST]}:${facts[PORT]}/ycsb$(postgresql_url_options)"

  # initdb and postgres refuse to run as root.
  [ "$(id -u)" != 0 ] || run_as=postgres
  data=$(postgresql_home)/data
  fact DATA_DIRECTORY "$data"
  mkdir -m 700 "$data"
  (umask 077 && echo "${facts[PASSWORD]}" >"$data.password")
  [ -z "$run_as" ] || chown "$run_as" "$data" "$data.password"
  as_owner "$bin/initdb" -D "$data" -U ycsb --pwfile="$data.password" -A scram-sha-256 --locale=C -E UTF8 \
    >"$DIR/initdb.log" 2>&1 || fail "initdb: $(tail -n 1 "$DIR/initdb.log")"
  rm "$data.password"
  {
    echo "listen_addresses = '127.0.0.1'"
    echo "port = ${facts[PORT]}"
    echo "unix_socket_directories = ''"
    echo 'max_connections = 300'
    if [ "$VARIANT" = postgresql-tls ]; then
      printf '%s\n' 'ssl = on' "ssl_cert_file = 'server.crt'" "ssl_key_file = 'server.key'" "ssl_ca_file = 'ca.pem'"
    fi
    for setting in "${settings[@]}"; do echo "${setting%%=*} = '${setting#*=}'"; done
  } >>"$data/postgresql.conf"
  postgresql_access >"$data/pg_hba.conf"
  if [ "$VARIANT" = postgresql-tls ]; then
    cp "$certificates"/{server.crt,server.key,ca.pem} "$data/"
    chmod 600 "$data/server.key"
    [ -z "$run_as" ] || chown "$run_as" "$data"/{server.crt,server.key,ca.pem}
  fi
  as_owner "$bin/postgres" --single -D "$data" postgres >"$DIR/create.log" 2>&1 < <(postgresql_first_statements) ||
    fail "could not create the database: $(tail -n 1 "$DIR/create.log")"
  node server "$bin/postgres" -D "$data"
}

as_owner() {
  [ -z "$run_as" ] || set -- setpriv --reuid="$run_as" --regid="$run_as" --init-groups "$@"
  # Its own working directory may be closed to the other user.
  (cd / && "$@")
}

# A folder that the server's user can reach: the service's own, or one outside a closed path such as /root.
postgresql_home() {
  local outside
  mkdir -p "$DIR/server"
  if as_owner test -x "$DIR/server"; then
    echo "$DIR/server"
  else
    outside=$(outside_folder /var/tmp)
    chmod 755 "$outside"
    echo "$outside"
  fi
}

postgresql_access() {
  local kind=host
  [ "$VARIANT" != postgresql-tls ] || kind=hostssl
  echo "$kind all ycsb_md5 127.0.0.1/32 md5"
  [ "$VARIANT" != postgresql-tls ] || echo 'hostssl all ycsb_cert 127.0.0.1/32 cert'
  echo "$kind all all 127.0.0.1/32 scram-sha-256"
}

# In single-user mode each line is a statement.
postgresql_first_statements() {
  echo 'CREATE DATABASE ycsb'
  echo 'CREATE ROLE ycsb_cert LOGIN SUPERUSER'
  echo "SET password_encryption = 'md5'"
  echo "CREATE ROLE ycsb_md5 LOGIN SUPERUSER PASSWORD '${facts[MD5_PASSWORD]}'"
}

postgresql_url_options() {
  [ "$VARIANT" != postgresql-tls ] || echo "?sslmode=verify-full&sslrootcert=${facts[CA_FILE]}"
}

# PostgreSQL takes the pid in its lock file for a running server as long as nobody has reaped that process; in a
# container whose first process reaps none, that is for ever.
postgresql_relaunch() {
  local lock pid state
  load_facts
  lock=${facts[DATA_DIRECTORY]}/postmaster.pid
  [ -e "$lock" ] || return 0
  read -r pid <"$lock"
  state=$(process_fields "$pid") || return 0
  [[ $state != Z* ]] || rm -f "$lock"
}

# postgresql_query SQL: rows without decoration.
postgresql_query() {
  local tls=()
  [ "$VARIANT" != postgresql-tls ] || tls=(PGSSLMODE=verify-full "PGSSLROOTCERT=${facts[CA_FILE]}")
  env "${tls[@]}" PGPASSWORD="${facts[PASSWORD]}" PGCONNECT_TIMEOUT=3 timeout 30 "$(postgresql_bin)/psql" -X -A -t -q \
    -h "${facts[HOST]}" -p "${facts[PORT]}" -U ycsb -d ycsb -c "$1"
}

postgresql_settle() {
  load_facts
  wait_until "it answers a query" postgresql_query 'SELECT 1'
}

postgresql_properties() {
  case $BINDING in
  sqlstore | store | voltdb | voltstore)
    printf '%s\n' "voltdb.url=${facts[URL]}" "voltdb.user=ycsb" "voltdb.password=${facts[PASSWORD]}"
    ;;
  postgrenosql)
    printf '%s\n' "postgrenosql.url=${facts[URL]}" "postgrenosql.user=ycsb" "postgrenosql.passwd=${facts[PASSWORD]}"
    ;;
  jdbc) printf '%s\n' "db.url=${facts[URL]}" "db.user=ycsb" "db.passwd=${facts[PASSWORD]}" ;;
  *) printf '%s\n' "postgresql.url=${facts[URL]}" "postgresql.user=ycsb" "postgresql.password=${facts[PASSWORD]}" ;;
  esac
}
