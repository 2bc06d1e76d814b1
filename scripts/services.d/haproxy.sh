# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# haproxy before a node of Elasticsearch 7.10.2: TLS and HTTP basic authentication, as a secured cluster has them.
# Nodes: n1 (Elasticsearch, itself reachable at BACKEND_URL) and haproxy.

haproxy_install() {
  need haproxy haproxy
  need openssl openssl
  elasticsearch_install
}

haproxy_prepare() {
  local home=$DIR/haproxy backend
  backend=$(free_port)
  fact BACKEND_PORT "$backend"
  fact BACKEND_URL "http://127.0.0.1:$backend"
  elasticsearch_node n1 "$backend"
  fact VERSION "$(haproxy -v | sed -nE '1s/.*version ([0-9.]+).*/haproxy \1/p') elasticsearch $(elasticsearch_release)"
  fact HOST localhost
  fact PORT "$(free_port)"
  fact USERNAME elastic
  fact PASSWORD "$(random_password)"
  fact URL "https://localhost:${facts[PORT]}"
  make_certificates
  mkdir -p "$home"
  (umask 077 && cat "$certificates/server.crt" "$certificates/server.key" >"$certificates/both.pem")
  (umask 077 && haproxy_configuration >"$home/haproxy.cfg")
  node haproxy haproxy -db -f "$home/haproxy.cfg"
}

haproxy_configuration() {
  cat <<END
global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 120s
  timeout server 120s
userlist users
  user ${facts[USERNAME]} insecure-password ${facts[PASSWORD]}
frontend tls
  bind 127.0.0.1:${facts[PORT]} ssl crt $certificates/both.pem
  http-request auth realm elasticsearch unless { http_auth(users) }
  http-request del-header Authorization
  default_backend node
backend node
  option httpchk GET /_cluster/health
  server n1 127.0.0.1:${facts[BACKEND_PORT]} check inter 500ms fall 1 rise 1
END
}

haproxy_answers() {
  curl -fsS -m 5 -o /dev/null --cacert "${facts[CA_FILE]}" -K - "${facts[URL]}/_cluster/health" \
    <<<"user = \"${facts[USERNAME]}:${facts[PASSWORD]}\""
}

haproxy_settle() {
  load_facts
  if node_pid n1 >/dev/null; then wait_until "n1 is healthy" elasticsearch_healthy "${facts[BACKEND_PORT]}" 1; fi
  if service_running; then wait_until "it passes a request on" haproxy_answers; fi
}

haproxy_properties() {
  printf '%s\n' "es.hosts.list=${facts[HOST]}:${facts[PORT]}" es.security.ssl=true \
    "es.security.ssl.path=${facts[CA_FILE]}" es.authentication=true "es.credentials.user=${facts[USERNAME]}" \
    "es.credentials.password=${facts[PASSWORD]}"
}
