#!/usr/bin/env bash
# The tests of the PostgreSQL store against a real server with pgvector, which it starts and stops: the suites that
# otherwise run on PGlite, and what needs several connections (`*.server.ts`).
set -uo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d /tmp/strata-postgres-XXXXXX)
chmod 755 "$folder"
STRATA_TEST_POSTGRES=$(bash scripts/start-postgres.sh "$folder" "${STRATA_TEST_PORT:-54330}") || exit 1
export STRATA_TEST_POSTGRES STRATA_TEST_POSTGRES_FOLDER="$folder"
bash scripts/install-test-stores.sh || exit 1
npx vitest run --config vitest.postgres.config.ts "$@"
code=$?
bash scripts/start-postgres.sh "$folder" stop
rm -rf "$folder"
exit $code
