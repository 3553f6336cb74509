#!/usr/bin/env bash
# Sets up a real VS Code workbench for `npm run e2e:vscode` and prints its folder.
#   scripts/code-server.sh [FOLDER]        default: ~/.cache/midspan-code-server
# code-server 4.100.3 is VS Code 1.100.3, the oldest that the extension supports, and runs under Node 20.
# Its own installer downloads from places that may be out of reach, hence its steps one by one; native
# modules are compiled, which takes some minutes, once. Needs a C++ compiler, Python and ripgrep; as root
# on Debian what is missing is installed.
set -euo pipefail
folder=$(realpath -m "${1:-${XDG_CACHE_HOME:-$HOME/.cache}/midspan-code-server}")
say() { echo "$@" >&2; }

if [ -e "$folder/.ready" ]; then echo "$folder"; exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  packages=(ripgrep libkrb5-dev g++ make python3)
  command -v chromium > /dev/null || packages+=(chromium)
  { apt-get update -q && apt-get install -y -q --no-install-recommends "${packages[@]}"; } >&2
fi
ripgrep=$(command -v rg) || { say "ripgrep is missing"; exit 1; }

mkdir -p "$folder"
cd "$folder"
# The packages are ours to keep in this folder alone.
export HOME="$folder/home" npm_config_fund=false npm_config_audit=false
mkdir -p "$HOME"
npm pack code-server@4.100.3 --silent > /dev/null
tar xzf code-server-4.100.3.tgz
rm code-server-4.100.3.tgz
vscode="$folder/package/lib/vscode"
for place in "$folder/package" "$vscode" "$vscode/extensions"; do
  (cd "$place" && npm install --ignore-scripts --omit=dev --no-progress) >&2
done

compiler="$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js"
headers=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
for module in node-pty @vscode/spdlog @parcel/watcher native-watchdog @vscode/deviceid; do
  (cd "$vscode/node_modules/$module" && node "$compiler" rebuild --nodedir="$headers" -j 2) >&2
done
(cd "$folder/package/node_modules/argon2" &&
  ../.bin/node-pre-gyp rebuild --build-from-source --nodedir="$headers") >&2

cd "$vscode"
ln -sfn node_modules node_modules.asar
ln -sf code-linux.sh bin/remote-cli/code-server
ln -sf browser-linux.sh bin/helpers/browser.sh
(cd extensions && node ./postinstall.mjs) >&2
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$ripgrep" node_modules/@vscode/ripgrep/bin/rg
touch "$folder/.ready"
echo "$folder"
