#!/bin/sh
# Installs the one wheel of a folder into a new environment without pip, as small as it can be.
#
#   install.sh DIST ENVIRONMENT [OPTION FOR PIP…]
set -eu
dist=$1
environment=$2
shift 2
python3 -m venv --without-pip "$environment"
site=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
python3 -m pip --python "$environment/bin/python" install --quiet --no-cache-dir --disable-pip-version-check \
  --only-binary :all: --no-compile "$@" "$dist"/urlset-*.whl
# Only development of the libraries needs these.
find "$site" -type d \( -name tests -o -name test \) -prune -exec rm -rf {} +
# Compiled once, here: the user that runs the image may not write.
"$environment/bin/python" -m compileall -q "$site"
"$environment/bin/urlset" --version
