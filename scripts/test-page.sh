#!/usr/bin/env bash
# The tests of the page in a browser: Debian's Chromium with fonts for both languages, and a package that drives it. Where
# there is a Chromium already (CHROMIUM names its program), nothing is installed but that package.
set -uo pipefail
cd "$(dirname "$0")/.."
export CHROMIUM="${CHROMIUM:-/usr/bin/chromium}"
if [ ! -x "$CHROMIUM" ]; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core fonts-noto-cjk >/dev/null || exit 1
fi
npm ci --prefix test/page --ignore-scripts --no-audit --no-fund || exit 1
npx vitest run --config vitest.page.config.ts "$@"
