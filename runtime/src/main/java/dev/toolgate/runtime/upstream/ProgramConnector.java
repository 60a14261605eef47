package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.stdio.StdioTimeouts;
import dev.toolgate.mcp.client.stdio.StdioTransport;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Starts a server program in the sandbox, one at a time. Where commands cannot be confined it is not started. */
final class ProgramConnector implements ServerConnector {
    /** Opens the workspace that the program runs in. */
    @FunctionalInterface
    interface WorkspaceOpener {
        OpenWorkspace open() throws IOException;
    }

    private final UpstreamEndpoint.Program program;
    private final WorkspaceOpener opener;
    private final Supplier<Map<String, String>> environment;
    private @Nullable OpenWorkspace workspace;
    private @Nullable SandboxedProcess last;
    private boolean closed;

    /**
     * @param environment the environment variables of every command
     */
    ProgramConnector(
            UpstreamEndpoint.Program program, WorkspaceOpener opener, Supplier<Map<String, String>> environment) {
        this.program = program;
        this.opener = opener;
        this.environment = environment;
    }

    @Override
    public synchronized McpTransport open() throws McpFailure {
        if (closed) {
            throw new McpFailure(McpFailureKind.NOT_SENT, "The server has been removed.");
        }
        if (last != null) {
            last.close(); // the previous process may still be ending
        }
        try {
            OpenWorkspace open = workspace();
            Path folder = open.files().projectRoot();
            SandboxedProcess started = new SandboxedProcess(open.sandbox()
                    .start(CommandRequest.inWholeWorkspace(line(), folder, folder, variables(), program.egress())));
            last = started;
            return new StdioTransport(started, TransportLimits.DEFAULT, StdioTimeouts.DEFAULT);
        } catch (ToolFailure refused) {
            throw notStarted(refused.failure().message(), refused);
        } catch (IOException | Unavailable | IllegalArgumentException unusable) {
            throw notStarted(String.valueOf(unusable.getMessage()), unusable);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new McpFailure(McpFailureKind.CANCELLED, "The thread of the request was interrupted.", stopped);
        }
    }

    private OpenWorkspace workspace() throws IOException {
        OpenWorkspace open = workspace;
        if (open == null) {
            open = opener.open();
            workspace = open;
        }
        return open;
    }

    private String line() {
        return "exec "
                + program.command().stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" "));
    }

    private Map<String, String> variables() {
        Map<String, String> all = new TreeMap<>(environment.get());
        if (!program.egress().isEmpty()) {
            all.put("NODE_USE_ENV_PROXY", "1"); // without it, Node ignores the proxy variables
        }
        all.putAll(program.environment().variables());
        return all;
    }

    private static McpFailure notStarted(String why, Exception cause) {
        return new McpFailure(McpFailureKind.UNREACHABLE, "The server program was not started: " + why, cause);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (last != null) {
            last.close();
        }
        if (workspace != null) {
            workspace.close();
        }
    }
}
