# Starts a built Toolgate: sourced by ./toolgate and by the container's toolgate.

# JVM flags for the server: long-running, with short garbage collection pauses.
server_flags() {
    # A library for conditions uses sun.misc.Unsafe, which would fill the log with warnings.
    printf '%s' '-XX:+UseG1GC -XX:+ExitOnOutOfMemoryError --sun-misc-unsafe-memory-access=allow'
    # Generating code for reflection takes a tenth of the start, and a call needs it only once.
    printf '%s' ' -Djdk.reflect.useNativeAccessorOnly=true'
    # Transparent huge pages, if the system offers them; otherwise Java would warn or not start.
    case "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)" in
        *'[madvise]'* | *'[always]'*) printf '%s' ' -XX:+UseTransparentHugePages' ;;
    esac
}

# launch JAVA FOLDER [ARGUMENT...]: replaces this process by the toolgate.jar in FOLDER.
launch() {
    java=$1
    app=$2
    shift 2
    # The JVM can only handle all file names with a UTF-8 locale.
    case "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}" in
        *UTF-8 | *utf8 | *UTF8) ;;
        *) LC_ALL=C.UTF-8 && export LC_ALL ;;
    esac
    if [ "${1:-serve}" = serve ]; then
        cache=$app/server.aot
        flags=$(server_flags)
    else
        cache=$app/commands.aot
        # Commands end before optimized code, or reflection by generated code, would pay off.
        flags='-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djdk.reflect.useNativeAccessorOnly=true'
    fi
    [ ! -f "$cache" ] || flags="$flags -Xlog:disable -Xlog:all=error:stderr"
    [ ! -f "$cache" ] || set -- -XX:AOTCache="$cache" -jar "$app/toolgate.jar" "$@"
    [ -f "$cache" ] || set -- -jar "$app/toolgate.jar" "$@"
    # Java takes the home folder from the user database, even if HOME is set.
    [ -z "${HOME:-}" ] || set -- -Duser.home="$HOME" "$@"
    # Unquoted on purpose: both are lists of flags.
    exec "$java" $flags ${TOOLGATE_JAVA_OPTIONS:-} "$@"
}
