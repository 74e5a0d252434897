#!/usr/bin/env bash
# Installs LanceDB and the programs that read its and PostgreSQL's tables (test/stores), and lets the source find LanceDB.
# It is not installed in the project itself: npm takes no package with `--no-save` that is an optional peer, and 200 MB
# are too much for everybody's install.
set -euo pipefail
cd "$(dirname "$0")/.."
installed=test/stores/node_modules/.package-lock.json
if [ ! -e "$installed" ] || [ test/stores/package-lock.json -nt "$installed" ]; then
  # Not `npm ci`: it misses the packages of other systems in a lock file without addresses.
  npm install --prefix test/stores --no-audit --no-fund --ignore-scripts --legacy-peer-deps >&2
fi
# Each package by itself: npm follows a link to a whole scope when it removes what it does not know.
mkdir -p node_modules/@lancedb
for name in @lancedb/lancedb apache-arrow; do
  rm -rf "node_modules/$name"
  ln -s "$PWD/test/stores/node_modules/$name" "node_modules/$name"
done
