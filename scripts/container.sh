#!/bin/sh
# The toolgate command inside the container image.
set -eu
. /opt/toolgate/scripts/launch.sh
launch "$JAVA_HOME/bin/java" /opt/toolgate "$@"
