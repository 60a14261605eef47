# No gateway: bodies are forwarded unread, by the HTTP server and client that ours is made of. What nothing made of them can be below.

install_gate() {
    find_jdk
    find_maven
    (cd "$root" && mvn -B -ntp -q -T 2 -Dquick -Dmaven.test.skip=true -pl bench -am package)
}

start_gate() {
    . "$root/scripts/launch.sh"
    # Unquoted on purpose: it is a list of flags.
    start forward "$JAVA_HOME/bin/java" $(server_flags) -cp "$root/bench/target/classes:$root/bench/target/lib/*" \
        dev.toolgate.bench.load.ForwardingProxy "$port" "http://$upstream/mcp"
    await forward "http://127.0.0.1:$port/" 60
    target 'only forwarding' modern "http://127.0.0.1:$port/mcp" echo '' "$started" 0
    target 'only forwarding' legacy "http://127.0.0.1:$port/mcp" echo '' "$started" 0
}

logged() { :; }
