#!/usr/bin/env bash
# Runs the steps of docker/Dockerfile without a container engine: root file systems by mmdebstrap, commands by chroot.
# Needs root, mmdebstrap, and Debian's package archive. What only an engine does (layers, labels, ENTRYPOINT) is not run.
#
#   scripts/test_image.sh DIST [OPTION FOR PIP…]
set -euo pipefail
dist=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT

# The hook installs usr-is-merged, as Debian's own images do, instead of usrmerge, which depends on Perl.
root_with() {
  mmdebstrap --quiet --variant=minbase --aptopt='APT::Install-Recommends "false"' --include="$2" \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' bookworm "$1"
}

root_with "$work/install" python3-pip,python3-venv
mkdir -p "$work/install/tmp/dist" "$work/install/tmp/links"
cp "$here/docker/install.sh" "$work/install/tmp/"
cp "$dist"/urlset-*.whl "$work/install/tmp/dist/"
if [ $# -gt 0 ]; then cp "$1"/*.whl "$work/install/tmp/links/"; options=(--no-index --find-links /tmp/links); else options=(); fi
chroot "$work/install" env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
  sh /tmp/install.sh /tmp/dist /opt/urlset "${options[@]}"

root_with "$work/image" ca-certificates,python3
rm -rf "$work/image/var/lib/apt/lists"
chroot "$work/image" useradd --create-home --uid 1000 urlset
cp -a "$work/install/opt/urlset" "$work/image/opt/urlset"
mkdir -p "$work/image/work"
size=$(du --summarize --apparent-size --bytes "$work/image" | cut -f 1)
cp -r "$here/examples" "$work/image/work/"
run() { chroot --userspec=1000:1000 "$work/image" env HOME=/home/urlset PATH=/opt/urlset/bin:/usr/bin:/bin "$@"; }
[ "$(run id -u)" = 1000 ]
run urlset --version
run urlset validate /work/examples/good/sitemap.xml
run sh -c 'urlset validate /work/examples/faulty/sitemap.xml > /dev/null; [ $? = 1 ]'
echo "image: $((size / 1000000)) MB"
[ "$size" -le 250000000 ] || { echo "larger than 250 MB" >&2; exit 1; }
