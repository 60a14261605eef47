# Finds or installs the programs that Toolgate needs: sourced by ./toolgate and ./verify.

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "toolgate: $*"
    exit 1
}

# The feature version of a Java home, read from its release file, which is faster than starting a JVM.
java_feature() {
    [ -r "$1/release" ] || return 1
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

is_jdk_25() {
    [ -x "$1/bin/javac" ] || return 1
    feature=$(java_feature "$1") && [ "${feature:-0}" -ge 25 ]
}

# Sets JAVA_HOME to a JDK 25 or newer, or fails with instructions.
find_jdk() {
    on_path=$(command -v javac 2>/dev/null) && on_path=$(readlink -f "$on_path" 2>/dev/null) && on_path=${on_path%/bin/javac}
    for candidate in "${JAVA_HOME:-}" "${on_path:-}" \
        /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
        if [ -n "$candidate" ] && is_jdk_25 "$candidate"; then
            JAVA_HOME=$candidate
            export JAVA_HOME
            return 0
        fi
    done
    install_packages "a JDK 25" openjdk-25-jdk-headless java-25-openjdk-devel openjdk25 >/dev/null 2>&1 || true
    for candidate in /usr/lib/jvm/*; do
        if is_jdk_25 "$candidate"; then
            JAVA_HOME=$candidate
            export JAVA_HOME
            return 0
        fi
    done
    fail "no JDK 25 or newer was found; install one (for example 'apt-get install openjdk-25-jdk-headless', 'brew install openjdk' or Temurin 25) or set JAVA_HOME to it."
}

# Runs a command as root: directly, or with sudo if that needs no password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        sudo -n "$@"
    else
        return 1
    fi
}

# install_packages WHAT DEBIAN FEDORA ALPINE: installs packages with the available package manager.
# A dash means that the distribution has no such package. Does nothing with TOOLGATE_SETUP=off.
install_packages() {
    what=$1
    [ "${TOOLGATE_SETUP:-on}" != off ] || return 1
    if command -v apt-get >/dev/null 2>&1; then
        names=$2
        [ "$names" != - ] || return 1
        say "Installing $what ($names)…"
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $names >/dev/null 2>&1 ||
            { as_root apt-get update -qq >/dev/null 2>&1 &&
                as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $names >/dev/null 2>&1; }
    elif command -v dnf >/dev/null 2>&1; then
        names=$3
        [ "$names" != - ] || return 1
        say "Installing $what ($names)…"
        as_root dnf install -y -q $names >/dev/null 2>&1
    elif command -v apk >/dev/null 2>&1; then
        names=$4
        [ "$names" != - ] || return 1
        say "Installing $what ($names)…"
        as_root apk add --quiet $names >/dev/null 2>&1
    else
        return 1
    fi
}

# Also suppresses warnings of Maven's libraries about the JDK.
find_maven() {
    MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
    export MAVEN_OPTS
    command -v mvn >/dev/null 2>&1 || install_packages "Maven" maven maven maven || true
    command -v mvn >/dev/null 2>&1 ||
        fail "Maven 3.8 or newer was not found; install it (for example 'apt-get install maven' or 'brew install maven')."
}

# On Linux, commands are sandboxed with bubblewrap; everything else works without it.
find_bubblewrap() {
    [ "$(uname -s)" = Linux ] || return 0
    command -v bwrap >/dev/null 2>&1 && return 0
    install_packages "bubblewrap, the sandbox for commands" bubblewrap bubblewrap bubblewrap || true
    command -v bwrap >/dev/null 2>&1 ||
        say "bubblewrap is not installed, so commands will be refused; install it with your package manager (for example 'apt-get install bubblewrap')."
}
