# ToolHive's Virtual MCP Server, from source: tokens of an OpenID issuer, Cedar, audit lines in a file.

install_gate() {
    [ -x "$work/bin/vmcp" ] && return
    source_of toolhive "${TOOLHIVE_SOURCE:-https://github.com/stacklok/toolhive.git}" "${TOOLHIVE_REVISION:-}" cmd pkg skills &&
        (cd "$work/toolhive" && GOFLAGS=-buildvcs=false go build -o "$work/bin/vmcp" ./cmd/vmcp)
}

start_gate() {
    issuer=127.0.0.1:$((port + 1))
    start issuer "$load" issuer "$issuer" vmcp
    await issuer "http://$issuer/keys" 10
    cat >"$run/vmcp.yaml" <<END
name: bench
groupRef: bench
backends:
  - name: bench
    url: http://$upstream/mcp
    transport: streamable-http
incomingAuth:
  type: oidc
  oidc:
    issuer: http://$issuer
    clientId: load
    audience: vmcp
    resource: http://127.0.0.1:$port/mcp
    jwksUrl: http://$issuer/keys
    jwksAllowPrivateIp: true
    protectedResourceAllowPrivateIp: true
    insecureAllowHttp: true
  authz:
    type: cedar
    policies:
      - permit(principal, action == Action::"call_tool", resource == Tool::"bench_echo");
      - permit(principal, action == Action::"list_tools", resource);
outgoingAuth:
  source: inline
  default:
    type: unauthenticated
aggregation:
  conflictResolution: prefix
  conflictResolutionConfig:
    prefixFormat: "{workload}_"
operational:
  timeouts:
    default: 30s
  failureHandling:
    healthCheckInterval: 30s
    unhealthyThreshold: 3
    partialFailureMode: fail
audit:
  component: vmcp
  includeRequestData: true
  maxDataSize: 10000
  logFile: $run/vmcp.audit.log
END
    start vmcp "$work/bin/vmcp" serve --config "$run/vmcp.yaml" --port "$port"
    await vmcp "http://127.0.0.1:$port/health" 60
    token=$(curl -s "http://$issuer/token")
    target 'ToolHive vMCP' modern "http://127.0.0.1:$port/mcp" bench_echo "Authorization: Bearer $token" "$started" 4
    target 'ToolHive vMCP' legacy "http://127.0.0.1:$port/mcp" bench_echo "Authorization: Bearer $token" "$started" 4
}

logged() { say "ToolHive vMCP: $(wc -l <"$run/vmcp.audit.log") audit lines"; }
