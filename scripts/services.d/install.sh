# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# Programs from package registries: Debian packages, a Python environment, Maven artifacts. Each function returns at once
# when its result is there already, and ends the service with code 3 and one line when it is not to be had.

cannot_install() {
  complain "cannot be installed: $1"
  exit 3
}

# One installation at a time in this checkout.
exclusively() {
  mkdir -p "$SERVICES_DIR/install"
  exec 8>"$SERVICES_DIR/install/lock"
  flock -w 1800 8 || cannot_install "another installation has been at it for half an hour"
  "$@"
  exec 8>&-
}

# need PROGRAM PACKAGE...: the Debian packages, unless the program is there.
need() {
  local program=$1
  shift
  command -v "$program" >/dev/null && return
  exclusively apt_install "$@"
  hash -r
  command -v "$program" >/dev/null || cannot_install "apt-get installed $* but there is no program $program"
}

apt_install() {
  local log=$SERVICES_DIR/install/apt.log guard=
  command -v apt-get >/dev/null || cannot_install "apt-get is missing; install $* by other means"
  [ "$(id -u)" = 0 ] || cannot_install "only root may run apt-get install $*"
  echo "services: installing $*" >&2
  apt_update
  # Debian starts a server on its usual port as soon as its package is installed, unless this file says no.
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    guard=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\nexit 101\n' >"$guard"
    chmod +x "$guard"
    # shellcheck disable=SC2064
    trap "rm -f $guard" EXIT
  fi
  DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 \
    -o Acquire::Retries=1 "$@" >"$log" 2>&1 </dev/null || cannot_install "apt-get install $*: $(first_error "$log")"
  [ -z "$guard" ] || rm -f "$guard"
}

# The package lists, at most once a day. A failure shows itself when the installation then fails.
apt_update() {
  local stamp=$SERVICES_DIR/install/apt-updated
  [ -z "$(find "$stamp" -mmin -1440 2>/dev/null)" ] || return 0
  for _ in 1 2 3 4 5; do
    apt-get -q update -o Acquire::Retries=1 >"$SERVICES_DIR/install/apt-update.log" 2>&1 </dev/null || true
    # Another apt-get holds the lists; it will not take long.
    grep -q 'Could not get lock' "$SERVICES_DIR/install/apt-update.log" || break
    sleep 5
  done
  grep -qE '^(W|E|Err):? ' "$SERVICES_DIR/install/apt-update.log" || touch "$stamp"
}

# The first line of a log that names an error, or its last line; without colours.
first_error() {
  local plain line
  plain=$(sed 's/\x1b\[[0-9;]*m//g' "$1")
  line=$(grep -m1 -E '^(E:|\[ERROR\]|ERROR:|error:) *[^ ]' <<<"$plain" || tail -n 1 <<<"$plain")
  echo "${line:0:300}"
}

# python_packages FOLDER REQUIREMENT...: a virtual environment with these packages, wheels only.
python_packages() {
  local folder=$1
  shift
  [ -e "$folder/complete" ] || exclusively python_install "$folder" "$@"
}

python_install() {
  local folder=$1 log=$SERVICES_DIR/install/pip.log python=${PYTHON:-python3}
  shift
  # The installation that this one waited for may have been the same.
  [ ! -e "$folder/complete" ] || return 0
  echo "services: installing $*" >&2
  rm -rf "$folder"
  if ! command -v "$python" >/dev/null || ! "$python" -m venv "$folder" >"$log" 2>&1; then
    rm -rf "$folder"
    apt_install python3 python3-venv
    "$python" -m venv "$folder" >"$log" 2>&1 || cannot_install "$python -m venv: $(first_error "$log")"
  fi
  "$folder/bin/pip" install -q --disable-pip-version-check --retries 1 --only-binary :all: "$@" >"$log" 2>&1 ||
    cannot_install "pip install $*: $(first_error "$log")"
  touch "$folder/complete"
}

# The folder of a Java development kit that the servers run on: 17 to 23, because newer ones have dropped what
# Elasticsearch 7 calls.
java_home() {
  local home version
  for home in "${JAVA_HOME:-}" "$(dirname "$(dirname "$(readlink -f "$(command -v javac || echo /)")")")" /usr/lib/jvm/*; do
    if [ -z "$home" ] || [ ! -x "$home/bin/javac" ]; then continue; fi
    version=$("$home/bin/javac" -version 2>&1 | sed -E 's/^javac ([0-9]+).*/\1/')
    if [ "$version" -ge 17 ] && [ "$version" -le 23 ]; then
      echo "$home"
      return
    fi
  done
  return 1
}

need_java() {
  java_home >/dev/null || exclusively apt_install default-jdk-headless
  java_home >/dev/null || cannot_install "found no Java development kit of version 17 to 23"
  need mvn maven
}

# maven_artifacts FOLDER POM SOURCE [NAME=VALUE...]: the artifacts of a POM with what they need, and the one class that
# starts the server, as FOLDER/lib/*.jar.
maven_artifacts() { [ -e "$1/complete" ] || exclusively maven_install "$@"; }

maven_install() {
  local folder=$1 pom=$2 source=$3 home class log=$SERVICES_DIR/install/maven.log
  shift 3
  [ ! -e "$folder/complete" ] || return 0
  home=$(java_home)
  class=$(basename "$source" .java)
  echo "services: fetching Maven artifacts for $(basename "$folder")" >&2
  rm -rf "$folder"
  mkdir -p "$folder/classes"
  JAVA_HOME=$home timeout 900 mvn -B -q -f "$pom" \
    org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies -DincludeScope=runtime "${@/#/-D}" \
    -DoutputDirectory="$folder/lib" >"$log" 2>&1 </dev/null ||
    cannot_install "maven: $(first_error "$log")"
  "$home/bin/javac" -cp "$folder/lib/*" -d "$folder/classes" "$source" >"$log" 2>&1 ||
    cannot_install "javac $class.java: $(first_error "$log")"
  # A jar and not a folder of classes: Java's class-data archive takes nothing else.
  "$home/bin/jar" --create --file "$folder/lib/$class.jar" -C "$folder/classes" . >"$log" 2>&1 ||
    cannot_install "jar $class: $(first_error "$log")"
  touch "$folder/complete"
}
