package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.runtime.network.GuardedSockets;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** Connects by HTTP, to addresses that the policy allows. */
final class RemoteConnector implements ServerConnector {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final UpstreamEndpoint.Remote endpoint;
    private final SocketHttpExchanger exchanger;

    RemoteConnector(UpstreamEndpoint.Remote endpoint, GuardedSockets sockets, SSLContext tls) {
        this(endpoint, sockets::connect, tls);
    }

    RemoteConnector(UpstreamEndpoint.Remote endpoint, SocketConnector sockets, SSLContext tls) {
        this.endpoint = endpoint;
        this.exchanger = new SocketHttpExchanger(sockets, tls, CONNECT_TIMEOUT);
    }

    @Override
    public McpTransport open() throws McpFailure {
        return new HttpTransport(
                new HttpEndpoint(endpoint.url(), endpoint.check(), endpoint.headers()),
                exchanger,
                new UpstreamCredentials(endpoint.authorization()),
                TransportLimits.DEFAULT);
    }

    @Override
    public void close() {
        exchanger.close();
    }
}
