# Bifrost, from source: a virtual key that allows the tool, logs in SQLite. Its modules are taken from the clone, and the
# web pages, which are made by another build, are left out.

install_gate() {
    [ -x "$work/bin/bifrost" ] && return
    source_of bifrost "${BIFROST_SOURCE:-https://github.com/maximhq/bifrost.git}" "${BIFROST_REVISION:-}" core framework plugins transports || return
    (
        cd "$work/bifrost/transports" || exit
        mkdir -p bifrost-http/ui && echo '<html></html>' >bifrost-http/ui/index.html
        for module in ../core ../framework ../plugins/*; do
            [ ! -f "$module/go.mod" ] || go mod edit -replace "$(sed -n 's/^module //p' "$module/go.mod")=$module"
        done
        GOWORK=off GOFLAGS='-mod=mod -buildvcs=false' go build -o "$work/bin/bifrost" ./bifrost-http
    )
}

start_gate() {
    mkdir -p "$run/bifrost"
    key=sk-bf-bench-0123456789abcdef
    # Prices of models, which it would look up on the internet before it starts.
    echo '{"model": {"provider": "openai", "mode": "chat", "input_cost_per_token": 0, "output_cost_per_token": 0}}' \
        >"$run/bifrost/prices.json"
    echo '{}' >"$run/bifrost/parameters.json"
    cat >"$run/bifrost/config.json" <<END
{
  "client": {"enable_logging": true, "enforce_auth_on_inference": true, "initial_pool_size": 300},
  "framework": {"pricing": {"pricing_url": "file://$run/bifrost/prices.json",
    "model_parameters_url": "file://$run/bifrost/parameters.json", "mcp_library_sync_interval": 0}},
  "config_store": {"enabled": true, "type": "sqlite", "config": {"path": "$run/bifrost/config.db"}},
  "logs_store": {"enabled": true, "type": "sqlite", "config": {"path": "$run/bifrost/logs.db"}},
  "mcp": {"client_configs": [{"name": "bench", "connection_type": "http", "connection_string": "http://$upstream/mcp",
    "auth_type": "none", "tools_to_execute": ["*"]}]},
  "governance": {"virtual_keys": [{"id": "load", "name": "load", "value": "$key", "is_active": true,
    "mcp_configs": [{"mcp_client_name": "bench", "tools_to_execute": ["*"]}]}]}
}
END
    start bifrost "$work/bin/bifrost" -app-dir "$run/bifrost" -host 127.0.0.1 -port "$port" -log-level warn
    await bifrost "http://127.0.0.1:$port/health" 60
    target Bifrost legacy "http://127.0.0.1:$port/mcp" bench-echo "x-bf-vk: $key" "$started" 4
}

logged() { say "Bifrost: $(wc -c <"$run/bifrost/logs.db") bytes of logs"; }
