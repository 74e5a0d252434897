#!/usr/bin/env bash
# Everything of a release but the upload: `bash scripts/release.sh`. Leaves the tarball and its SBOM in release/.
set -euo pipefail
cd "$(dirname "$0")/.."
PUBLINT=publint@0.3.25
ATTW=@arethetypeswrong/cli@0.18.5
version=$(node -p "require('./package.json').version")

if [ -n "$(git status --porcelain)" ]; then
  echo "There are changes that are not committed: commit or stash them, then release." >&2
  exit 1
fi
grep -q "^## $version\|^## Unreleased" CHANGELOG.md || { echo "CHANGELOG.md has no part for $version." >&2; exit 1; }

npm ci
[ "${1:-}" = --no-tests ] || npm test

rm -rf release && mkdir release
# Built by `npm ci` (prepare); what is packed is what `files` in package.json names.
npm pack --ignore-scripts --silent --pack-destination release
tarball=$(ls release/*.tgz)

# What must never be in it: tests, sources, measurements, anybody's library.
if tar tzf "$tarball" | grep -E '\.(test|slow|suite)\.|/(src|test|bench|node_modules)/|\.strata/' ; then
  echo "These files do not belong into the package." >&2
  exit 1
fi

# Checkers are no dependencies of ours: installed beside, and gone with the folder.
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
npm install --prefix "$tools" --no-audit --no-fund --ignore-scripts --silent "$PUBLINT" "$ATTW"
"$tools/node_modules/.bin/publint" "$tarball" --strict
# An ES module only: `require` of it is not offered, and resolving as before Node 12 neither.
"$tools/node_modules/.bin/attw" "$tarball" --profile esm-only

# What is installed with it, and under which licences. The dictionary (CC BY-SA 4.0, data, two files) is in NOTICE.
npm sbom --package-lock-only --omit dev --omit peer --sbom-format cyclonedx > "release/strata-kb-$version.sbom.json"
node scripts/check-licences.js "release/strata-kb-$version.sbom.json"
tar xzOf "$tarball" package/NOTICE | grep -q 'CC-CEDICT' || { echo "NOTICE does not name CC-CEDICT." >&2; exit 1; }

# As a new user has it: installed into an empty folder, and the tour of the README taken.
npx vitest run --config vitest.slow.config.ts test/install.slow.ts

(cd release && sha256sum ./*.tgz ./*.json > SHA256SUMS)
echo "release/ is ready: $(du -h "$tarball" | cut -f1) packed. Upload with: npm publish $tarball"
