# Creates the AOT caches that halve the start time: sourced by ./toolgate and the Dockerfile.
# Toolgate works without them, so failures here are ignored.

# rehearse JAVA FOLDER: starts the server of FOLDER/toolgate.jar in a temporary home, runs a few commands and stops it.
rehearse() {
    java=$1
    app=$2
    stage=$(mktemp -d) || return 0
    # If this runs as root, the database runs under another account, which must be able to enter the folder.
    chmod 755 "$stage" && mkdir -m 755 "$stage/home"
    rm -f "$app/server.aot" "$app/commands.aot"
    : >"$stage/server"
    # Without the environment of the build, which may configure a real database.
    env -i PATH="$PATH" LC_ALL=C.UTF-8 TOOLGATE_HOME="$stage/home" TOOLGATE_PORTS=0,0 \
        "$java" -XX:+UseG1GC -XX:AOTCacheOutput="$app/server.aot" -jar "$app/toolgate.jar" serve \
        >"$stage/server" 2>&1 &
    server=$!
    trap 'kill $server 2>/dev/null; rm -rf "$stage"; exit 130' INT TERM
    waited=0
    while kill -0 "$server" 2>/dev/null && ! grep -q '^Toolgate ready' "$stage/server" && [ "$waited" -lt 300 ]; do
        sleep 0.2
        waited=$((waited + 1))
    done
    url=$(sed -n 's/^Toolgate ready at \([^ ]*\).*/\1/p' "$stage/server")
    if [ -n "$url" ]; then
        env -i PATH="$PATH" LC_ALL=C.UTF-8 TOOLGATE_HOME="$stage/home" TOOLGATE_URL="$url" \
            "$java" -XX:+UseG1GC -XX:AOTCacheOutput="$app/commands.aot" -cp "$app/toolgate.jar" \
            dev.toolgate.cli.TrainingRun tools health 'agents add rehearsal' 'grant rehearsal file_list' \
            'permissions show rehearsal' 'agents list' 'key list' >/dev/null 2>&1 || true
    fi
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    trap - INT TERM
    rm -rf "$stage"
}
