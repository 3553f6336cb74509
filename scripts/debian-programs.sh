#!/usr/bin/env bash
# Sets up newer programs than a Debian release has (llama-server, Neovim 0.12) in a folder of their
# own, from Debian's next release, for the tests that run against the real thing. Needs root and
# about seven minutes once; what is there already is kept.
#
#   scripts/debian-programs.sh [DIR]        DIR defaults to /var/tmp/midspan-programs
#   chroot DIR llama-server …               the network is shared, files are not
#
# The last line of stdout is DIR; everything else goes to stderr.
set -euo pipefail
dir=${1:-/var/tmp/midspan-programs}
here=$(cd "$(dirname "$0")/.." && pwd)
release=forky
{
  if ! command -v debootstrap >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
  fi
  scripts=/usr/share/debootstrap/scripts
  [ -e "$scripts/$release" ] || ln -s sid "$scripts/$release"
  if [ ! -e "$dir/.ready" ]; then
    rm -rf "$dir"
    mkdir -p "$dir"
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    debootstrap --force-check-gpg --keyring="$keyring" --variant=minbase "$release" "$dir"
    cp /etc/resolv.conf "$dir/etc/resolv.conf"
    touch "$dir/.ready"
  fi
  mountpoint -q "$dir/proc" || mount -t proc proc "$dir/proc"
  mountpoint -q "$dir/dev" || mount --bind /dev "$dir/dev"
  missing=()
  for package in llama.cpp-tools neovim; do
    chroot "$dir" dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    # A mirror may lag behind the date in its own release file.
    chroot "$dir" apt-get -o Acquire::Check-Valid-Until=false update -qq
    DEBIAN_FRONTEND=noninteractive chroot "$dir" \
      apt-get install -y -qq --no-install-recommends "${missing[@]}"
  fi
  mkdir -p "$dir/models"
  cp "$here/test/models/tiny-fim.gguf" "$dir/models/tiny-fim.gguf"
} >&2
echo "$dir"
