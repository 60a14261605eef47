package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The location of an MCP server: a remote URL, or a program on this machine. */
public sealed interface UpstreamEndpoint {

    /**
     * A server reached by Streamable HTTP. Its addresses are checked like those of {@code http_request}.
     *
     * @param check whether http without TLS is allowed, to a loopback address only
     * @param headers sent with every request; no credentials
     * @param authorization the credentials, looked up for every request
     */
    record Remote(URI url, EndpointCheck check, Map<String, String> headers, ServerAuthorization authorization)
            implements UpstreamEndpoint {
        public Remote {
            headers = Map.copyOf(headers);
        }

        /** A server behind TLS without credentials. */
        public static Remote of(URI url) {
            return new Remote(url, EndpointCheck.TLS_ONLY, Map.of(), ServerAuthorization.fixed(Map.of()));
        }

        /** The same with credentials. */
        public Remote with(ServerAuthorization newAuthorization) {
            return new Remote(url, check, headers, newAuthorization);
        }

        /** The same with another rule for TLS. */
        public Remote with(EndpointCheck newCheck) {
            return new Remote(url, newCheck, headers, authorization);
        }
    }

    /**
     * A program in the sandbox, connected through its standard streams.
     *
     * @param command the program and its arguments
     * @param egress the hosts it may reach through a proxy, exact or {@code *.suffix}; empty means no network
     * @param workspace the folder it works in and may write to; {@code null} for one of its own
     * @param readOnlyPaths folders that it needs to read, for example where it is installed; {@code /usr} is readable
     *     anyway
     */
    record Program(
            List<String> command,
            ProgramEnvironment environment,
            List<String> egress,
            @Nullable Path workspace,
            List<Path> readOnlyPaths)
            implements UpstreamEndpoint {
        public Program {
            if (command.isEmpty() || command.getFirst().isBlank()) {
                throw new IllegalArgumentException("A server program needs a command.");
            }
            command = List.copyOf(command);
            egress = List.copyOf(egress);
            readOnlyPaths = List.copyOf(readOnlyPaths);
        }

        /** A program with a folder of its own, without network. */
        public static Program of(List<String> command) {
            return new Program(command, ProgramEnvironment.NONE, List.of(), null, List.of());
        }

        /** The same with environment variables. */
        public Program with(ProgramEnvironment newEnvironment) {
            return new Program(command, newEnvironment, egress, workspace, readOnlyPaths);
        }

        /** The same with hosts that it may reach. */
        public Program reaching(List<String> newEgress) {
            return new Program(command, environment, newEgress, workspace, readOnlyPaths);
        }

        /** The same with a workspace. */
        public Program in(Path newWorkspace) {
            return new Program(command, environment, egress, newWorkspace, readOnlyPaths);
        }

        /** The same with folders that it may read. */
        public Program reading(List<Path> newReadOnlyPaths) {
            return new Program(command, environment, egress, workspace, newReadOnlyPaths);
        }
    }
}
