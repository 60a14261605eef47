# Ours: a key of an agent, a grant, and a record that is durable before the answer; before a call that may change something,
# another one. The same server is there twice: once its word is taken that its tool only reads, once it is not.

install_gate() {
    find_jdk
    TOOLGATE_HOME="$run/toolgate" "$root/toolgate" --version
}

start_gate() {
    mkdir -p "$run/toolgate"
    printf 'network:\n  internal_places:\n    default: [127.0.0.1]\n' >"$run/toolgate.yaml"
    export TOOLGATE_HOME="$run/toolgate" TOOLGATE_URL="http://127.0.0.1:$port"
    start toolgate "$root/toolgate" serve --config "$run/toolgate.yaml" --port "$port"
    await toolgate "$TOOLGATE_URL/health" 120
    servers() { "$root/toolgate" servers add "$@" "http://$upstream/mcp" --plain-http --reason bench; }
    servers bench >"$run/toolgate.add.log"
    servers trusted --trust-annotations >>"$run/toolgate.add.log"
    "$root/toolgate" agents add load >>"$run/toolgate.add.log"
    "$root/toolgate" grant load bench/echo trusted/echo --reason bench >>"$run/toolgate.add.log"
    key=$("$root/toolgate" key create --role agent --agent load 2>>"$run/toolgate.add.log")
    for era in modern legacy; do
        target "$ours_name, a tool that only reads" $era "$TOOLGATE_URL/mcp" trusted__echo "Authorization: Bearer $key" "$started" 0
        target "$ours_name, any other tool" $era "$TOOLGATE_URL/mcp" bench__echo "Authorization: Bearer $key" "$started" 0
    done
}

# A run in which nothing was recorded measured something else.
logged() {
    calls=$("$root/toolgate" audit verify 2>&1 || true)
    say "Toolgate: $calls"
}
