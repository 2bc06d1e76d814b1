# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# Certificates for the servers that speak TLS, made anew with each server and valid for 30 days.
#
# The server's certificate holds for `localhost` alone. A client that connects to 127.0.0.1 reaches the same server under
# a name that the certificate does not hold for: that is how tests see a wrong host name refused.

# In the folder named by `certificates`: ca.pem signs server.crt and client.crt (CN ycsb_cert), other-ca.pem nothing.
make_certificates() {
  local folder=$DIR/certificates log
  mkdir -p "$folder"
  # `services properties` prints words separated by blanks, so no path in it may have one.
  [[ $folder != *[[:space:]]* ]] || folder=$(outside_folder /tmp)
  certificates=$folder log=$folder/openssl.log
  {
    certificate_authority "$folder" ca &&
      certificate_authority "$folder" other-ca &&
      leaf_certificate "$folder" server localhost serverAuth 'subjectAltName=DNS:localhost' &&
      leaf_certificate "$folder" client ycsb_cert clientAuth
  } >"$log" 2>&1 || fail "openssl could not make certificates: $(tail -n 1 "$log")"
  fact CA_FILE "$folder/ca.pem"
  fact OTHER_CA_FILE "$folder/other-ca.pem"
  fact CLIENT_CERT_FILE "$folder/client.crt"
  fact CLIENT_KEY_FILE "$folder/client.key"
  fact WRONG_HOST 127.0.0.1
}

certificate_authority() {
  printf '%s\n' '[req]' 'distinguished_name=name' 'x509_extensions=authority' '[name]' '[authority]' \
    'basicConstraints=critical,CA:TRUE' 'keyUsage=critical,keyCertSign,cRLSign' 'subjectKeyIdentifier=hash' >"$1/$2.cnf"
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=ycsb-host test $2" -config "$1/$2.cnf" \
    -keyout "$1/$2.key" -out "$1/$2.pem"
}

# leaf_certificate FOLDER NAME COMMON_NAME USAGE [EXTENSION]: a certificate that is no authority, as rustls demands.
leaf_certificate() {
  printf '%s\n' 'basicConstraints=critical,CA:FALSE' 'keyUsage=critical,digitalSignature,keyEncipherment' \
    "extendedKeyUsage=$4" ${5+"$5"} >"$1/$2.ext"
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$3" -config "$1/ca.cnf" -keyout "$1/$2.key" -out "$1/$2.csr" &&
    openssl x509 -req -in "$1/$2.csr" -CA "$1/ca.pem" -CAkey "$1/ca.key" -CAcreateserial -days 30 \
      -extfile "$1/$2.ext" -out "$1/$2.crt"
}
