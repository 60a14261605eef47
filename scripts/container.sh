#!/bin/sh
# The command toolgate inside a container, where everything is built and in its place.
set -eu
. /opt/toolgate/scripts/launch.sh
launch "$JAVA_HOME/bin/java" /opt/toolgate "$@"
