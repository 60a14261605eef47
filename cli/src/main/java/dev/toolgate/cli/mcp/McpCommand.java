package dev.toolgate.cli.mcp;

import dev.toolgate.cli.client.ServerAddress;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.JdkHttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.relay.StdioRelay;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code toolgate mcp}: MCP over standard input and output, relayed to a running server. */
@Command(
        name = "mcp",
        description = "Serve an MCP client over standard input and output, through a running server.",
        mixinStandardHelpOptions = true)
public final class McpCommand implements Callable<Integer> {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "The agent to act for; not needed with an agent's key.")
    private @Nullable String agent;

    @Option(
            names = "--search",
            description = "List two tools only: one that finds tools, and one that calls what was found.")
    private boolean search;

    @Override
    public Integer call() throws IOException {
        ServerAddress address = server.address();
        try (HttpExchanger exchanger = new JdkHttpExchanger(address.client(), CONNECT_TIMEOUT)) {
            HttpTransport gate = new HttpTransport(
                    new HttpEndpoint(
                            URI.create(address.url() + "/mcp" + (search ? "?tools=search" : "")),
                            EndpointCheck.LOOPBACK_WITHOUT_TLS,
                            agent == null ? Map.of() : Map.of("X-Agent-ID", agent)),
                    exchanger,
                    ServerAuthorization.fixed(
                            Map.of("Authorization", "Bearer " + server.key().text())),
                    TransportLimits.DEFAULT);
            // Not System.out, which swallows write errors.
            new StdioRelay(gate, RpcLimits.DEFAULT, System.in, new FileOutputStream(FileDescriptor.out)).run();
            return 0;
        } catch (McpFailure refused) {
            throw new IOException(refused.getMessage(), refused);
        }
    }
}
