# How a built Toolgate is run: sourced by ./toolgate and by the container's toolgate.

# What Java is told where it runs a server, which runs for long and must not stop for long.
server_flags() {
    # The libraries for conditions use what a later Java will refuse; today it would only fill the log with warnings.
    printf '%s' '-XX:+UseG1GC -XX:+ExitOnOutOfMemoryError --sun-misc-unsafe-memory-access=allow'
    # Large pages, where the system gives them to who asks: Java would not start, or would complain, where it does not.
    case "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)" in
        *'[madvise]'* | *'[always]'*) printf '%s' ' -XX:+UseTransparentHugePages' ;;
    esac
}

# launch JAVA FOLDER [WORD...]: becomes the command line whose toolgate.jar is in FOLDER.
launch() {
    java=$1
    app=$2
    shift 2
    # File names are bytes; with any other locale the JVM could not name some of them.
    case "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}" in
        *UTF-8 | *utf8 | *UTF8) ;;
        *) LC_ALL=C.UTF-8 && export LC_ALL ;;
    esac
    if [ "${1:-serve}" = serve ]; then
        cache=$app/server.aot
        flags=$(server_flags)
    else
        cache=$app/commands.aot
        # Over before code would be optimised.
        flags='-XX:+UseSerialGC -XX:TieredStopAtLevel=1'
    fi
    [ ! -f "$cache" ] || flags="$flags -Xlog:disable -Xlog:all=error:stderr"
    [ ! -f "$cache" ] || set -- -XX:AOTCache="$cache" -jar "$app/toolgate.jar" "$@"
    [ -f "$cache" ] || set -- -jar "$app/toolgate.jar" "$@"
    # Java would take the home folder from the list of accounts, also where HOME says otherwise.
    [ -z "${HOME:-}" ] || set -- -Duser.home="$HOME" "$@"
    # Not quoted: both are lists of words.
    exec "$java" $flags ${TOOLGATE_JAVA_OPTIONS:-} "$@"
}
