#!/usr/bin/env bash
# Starts a PostgreSQL server with pgvector of its own, for tests and measurements, and prints its URL:
#   export STRATA_TEST_POSTGRES=$(bash scripts/start-postgres.sh FOLDER [PORT])
# `bash scripts/start-postgres.sh FOLDER stop` (or `restart`) for what follows. Needs Debian's packages, and installs those that are
# missing when it may. Debian 12 has no package of pgvector, so it is built from the next release's source package.
set -euo pipefail
folder=${1:?name a folder for the server}
port=${2:-54329}
log() { echo "start-postgres: $*" >&2; }

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)
as_server() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

if [ "$port" = stop ] || [ "$port" = restart ]; then
  as_server "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w -m fast "$port" >&2
  exit
fi

if [ -z "$bin" ]; then
  log "installing PostgreSQL"
  apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >&2
  bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
fi
major=$(basename "$(dirname "$bin")")

if [ ! -e "/usr/share/postgresql/$major/extension/vector.control" ]; then
  log "building pgvector for PostgreSQL $major"
  build=$(mktemp -d)
  # The machine's own list, for sources of the release that has pgvector.
  sed -e 's/^Types: deb$/Types: deb-src/' -e 's/^Suites: .*/Suites: trixie/' /etc/apt/sources.list.d/debian.sources |
    awk 'BEGIN { RS = ""; ORS = "\n\n" } !/security/' > "$build/sources.sources"
  options=(-o "Dir::Etc::sourcelist=$build/sources.sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$build/lists")
  mkdir -p "$build/lists/partial"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "postgresql-server-dev-$major" make gcc dpkg-dev >&2 ||
    { apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "postgresql-server-dev-$major" make gcc dpkg-dev >&2; }
  apt-get "${options[@]}" update -qq >&2
  (cd "$build" && apt-get "${options[@]}" source -qq --download-only pgvector >&2 && tar xf pgvector_*.orig.tar.gz)
  # OPTFLAGS: no code for this very processor, so that the library runs wherever the folder is taken.
  make -s -C "$build"/pgvector-* PG_CONFIG="$bin/pg_config" OPTFLAGS="" >&2
  make -s -C "$build"/pgvector-* PG_CONFIG="$bin/pg_config" install >&2
  rm -rf "$build"
fi

if [ ! -d "$folder/data" ]; then
  mkdir -p "$folder"
  echo strata-test > "$folder/password"
  [ "$(id -u)" = 0 ] && chown postgres "$folder"
  as_server "$bin/initdb" -D "$folder/data" -U strata --auth-local=trust --auth-host=scram-sha-256 --pwfile="$folder/password" -E UTF8 --locale=C >&2
fi
as_server "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" -o "-p $port -k $folder -c listen_addresses=127.0.0.1 -c max_connections=200" start >&2
echo "postgres://strata:strata-test@127.0.0.1:$port/postgres"
