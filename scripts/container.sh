#!/bin/sh
# The toolgate command inside the container image.
set -eu
[ "${1:-}" != hook ] || { shift && exec /opt/toolgate/scripts/hook "$@"; }
. /opt/toolgate/scripts/launch.sh
launch "$JAVA_HOME/bin/java" /opt/toolgate "$@"
