package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.policy.McpServer;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.mcp.client.transport.McpFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The MCP servers of an embedding program. Tools are offered as they were when the program registered their server:
 * one whose definition changes later is withdrawn until the server is registered again.
 */
public final class HostUpstreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostUpstreams.class);

    /** Holds the tools of servers that callers can use. */
    @FunctionalInterface
    public interface ToolRegistry {
        /**
         * Replaces all tools of this server.
         *
         * @throws IllegalArgumentException if a name is taken
         */
        void replace(String server, List<UpstreamTool> tools);
    }

    /** The result of a registration. */
    public sealed interface Registration {
        /**
         * The server's tools are offered.
         *
         * @param tools their names, {@code server/tool}
         * @param skipped the allowed tools that cannot be used
         */
        record Registered(List<String> tools, List<UpstreamTools.SkippedTool> skipped) implements Registration {}

        /** The server cannot be used, and none of its tools is offered. */
        record Refused(Failure failure) implements Registration {}
    }

    private final UpstreamConnectors connectors;
    private final ToolRegistry registry;
    private final Map<String, Registered> servers = new HashMap<>();
    private boolean closed;

    public HostUpstreams(UpstreamConnectors connectors, ToolRegistry registry) {
        this.connectors = connectors;
        this.registry = registry;
    }

    /** Connects to a server and offers its tools, in place of those of an earlier registration of this name. */
    public synchronized Registration register(UpstreamSettings settings) {
        if (closed) {
            return refused(settings, ErrorCode.SERVICE_UNAVAILABLE, "the runtime has been closed");
        }
        unregister(settings.name());
        Registered server = new Registered(settings);
        try {
            server.upstream.refresh();
            UpstreamTools found = server.adopted();
            servers.put(settings.name(), server);
            return new Registration.Registered(
                    found.tools().stream().map(tool -> tool.spec().name()).toList(), found.skipped());
        } catch (McpFailure failed) {
            server.close();
            return new Registration.Refused(UpstreamFailure.toConnect(server.upstream, failed));
        } catch (IllegalArgumentException taken) {
            server.close();
            return refused(settings, ErrorCode.INVALID_REQUEST, String.valueOf(taken.getMessage()));
        } catch (RuntimeException | Error unexpected) {
            server.close(); // otherwise it would be connected again and again, and nobody could close it
            throw unexpected;
        }
    }

    /**
     * Registers the servers that a policy bundle lists; a failure does not affect the others. Returns the results by
     * name.
     */
    public Map<String, Registration> register(PolicyBundle bundle) {
        Map<String, Registration> registrations = new LinkedHashMap<>();
        for (McpServer entry : bundle.mcpServers()) {
            Registration registration;
            try {
                registration = register(UpstreamSettings.of(entry));
            } catch (IllegalArgumentException invalid) {
                registration = new Registration.Refused(
                        Failure.of(ErrorCode.POLICY_BUNDLE_INVALID, String.valueOf(invalid.getMessage())));
            }
            registrations.put(entry.name(), registration);
        }
        return registrations;
    }

    private static Registration refused(UpstreamSettings settings, ErrorCode code, String why) {
        return new Registration.Refused(
                Failure.of(code, "MCP server '" + settings.name() + "' was not registered: " + why));
    }

    /** Disconnects a server and removes its tools; does nothing if there is none. */
    public synchronized void unregister(String name) {
        Registered gone = servers.remove(name);
        if (gone != null) {
            gone.close();
        }
    }

    /** The state of a server; {@code null} if it is not registered. */
    public synchronized @Nullable UpstreamState state(String name) {
        Registered server = servers.get(name);
        return server == null ? null : server.upstream.state();
    }

    @Override
    public synchronized void close() {
        closed = true;
        List.copyOf(servers.keySet()).forEach(this::unregister);
    }

    /** A server, and the definitions with which its tools were first offered. */
    private final class Registered implements UpstreamListener {
        private final Upstream upstream;
        private final Map<String, ObjectNode> first = new LinkedHashMap<>();
        private @Nullable UpstreamTools current;
        private boolean over;

        Registered(UpstreamSettings settings) {
            this.upstream = new Upstream(settings, connectors, this);
        }

        @Override
        public synchronized void toolsListed(List<ObjectNode> definitions) {
            if (over) {
                return;
            }
            UpstreamTools found = UpstreamTools.of(upstream, unchanged(definitions));
            registry.replace(upstream.settings().name(), found.tools());
            current = found;
        }

        private List<ObjectNode> unchanged(List<ObjectNode> definitions) {
            List<ObjectNode> unchanged = new ArrayList<>();
            for (ObjectNode definition : definitions) {
                String name = definition.path("name").asString("");
                if (first.computeIfAbsent(name, _ -> definition).equals(definition)) {
                    unchanged.add(definition);
                } else {
                    LOG.warn(
                            "The definition of '{}' of MCP server '{}' has changed; the tool is withdrawn until the"
                                    + " server is registered again",
                            name,
                            upstream.settings().name());
                }
            }
            return unchanged;
        }

        synchronized UpstreamTools adopted() {
            return Objects.requireNonNull(current);
        }

        void close() {
            try {
                withdraw();
            } finally {
                upstream.close();
            }
        }

        private synchronized void withdraw() {
            over = true;
            registry.replace(upstream.settings().name(), List.of());
        }
    }
}
