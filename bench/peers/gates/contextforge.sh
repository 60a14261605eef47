# ContextForge, from PyPI: a signed token, log rows in SQLite.

install_gate() {
    [ -x "$work/contextforge/bin/mcpgateway" ] && return
    python3 -m venv "$work/contextforge" &&
        "$work/contextforge/bin/pip" install -q "${CONTEXTFORGE_PACKAGE:-mcp-contextforge-gateway}"
}

start_gate() {
    mkdir -p "$run/contextforge"
    secret=$(head -c 48 /dev/urandom | base64 | tr -d '\n=+/')
    password="Aa1!$(head -c 24 /dev/urandom | base64 | tr -d '\n=+/')"
    start contextforge env -C "$run/contextforge" HOST=127.0.0.1 PORT="$port" DATABASE_URL=sqlite:///./mcp.db \
        JWT_SECRET_KEY="$secret" AUTH_ENCRYPTION_SECRET="x$secret" AUTH_REQUIRED=true \
        PLATFORM_ADMIN_EMAIL=admin@example.com PLATFORM_ADMIN_PASSWORD="$password" DEFAULT_USER_PASSWORD="${password}x" \
        MCPGATEWAY_UI_ENABLED=false MCPGATEWAY_ADMIN_API_ENABLED=true RATE_LIMITING_ENABLED=false TOOL_RATE_LIMIT=1000000 \
        SSRF_ALLOW_LOCALHOST=true SSRF_ALLOW_PRIVATE_NETWORKS=true STRUCTURED_LOGGING_DATABASE_ENABLED=true LOG_LEVEL=ERROR \
        "$work/contextforge/bin/mcpgateway" --host 127.0.0.1 --port "$port"
    await contextforge "http://127.0.0.1:$port/health" 120
    token=$(cd "$run/contextforge" && JWT_SECRET_KEY="$secret" AUTH_ENCRYPTION_SECRET="x$secret" "$work/contextforge/bin/python" \
        -m mcpgateway.utils.create_jwt_token --username admin@example.com --admin --exp 600 --secret "$secret" 2>/dev/null | tail -n 1)
    curl -s -f -o "$run/contextforge.add.log" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
        "http://127.0.0.1:$port/gateways" -d "{\"name\": \"bench\", \"url\": \"http://$upstream/mcp\", \"transport\": \"STREAMABLEHTTP\"}"
    # It makes a few calls a second, so its rounds are longer.
    target ContextForge legacy "http://127.0.0.1:$port/mcp" bench-echo "Authorization: Bearer $token" "$started" 200 \
        "${PEERS_SLOW_SECONDS:-8}"
}

logged() { say "ContextForge: $(wc -c <"$run/contextforge/mcp.db") bytes of database"; }
