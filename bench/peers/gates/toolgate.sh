# Ours: a key of an agent, a grant, and records that are durable before the call and before the answer.

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
    "$root/toolgate" servers add bench "http://$upstream/mcp" --plain-http --reason bench >"$run/toolgate.add.log"
    "$root/toolgate" agents add load >>"$run/toolgate.add.log"
    "$root/toolgate" grant load bench/echo --reason bench >>"$run/toolgate.add.log"
    key=$("$root/toolgate" key create --role agent --agent load 2>>"$run/toolgate.add.log")
    target "$ours_name" modern "$TOOLGATE_URL/mcp" bench__echo "Authorization: Bearer $key" "$started" 0
    target "$ours_name" legacy "$TOOLGATE_URL/mcp" bench__echo "Authorization: Bearer $key" "$started" 0
}

# A run in which nothing was recorded measured something else.
logged() {
    calls=$("$root/toolgate" audit verify 2>&1 || true)
    say "Toolgate: $calls"
}
