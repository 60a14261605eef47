package dev.toolgate.server.wiring;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.http.server.Cors;
import dev.toolgate.server.config.DialectSettings;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.door.agenthost.BackendToolRoutes;
import dev.toolgate.server.door.frontend.AnonymousAgent;
import dev.toolgate.server.door.frontend.ToolBackendRoutes;
import dev.toolgate.server.door.frontend.ToolListing;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.store.directory.Agents;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the doors besides the access API. */
final class Doors {
    private static final Logger LOG = LoggerFactory.getLogger(Doors.class);

    private Doors() {}

    static List<Route> routes(
            ServerSettings settings,
            StoreParts store,
            Gate gate,
            HttpCalls calls,
            ToolCatalog catalog,
            RouteAccess frontEnds,
            InstantSource clock) {
        int maxBodyBytes = Math.toIntExact(settings.http().maxBody().bytes());
        return Stream.of(
                        new ToolBackendRoutes(
                                        calls,
                                        new ToolListing(catalog, store.grants(), store.policies(), clock),
                                        frontEnds,
                                        maxBodyBytes)
                                .all(),
                        new BackendToolRoutes(gate, calls, maxBodyBytes).all())
                .flatMap(List::stream)
                .toList();
    }

    /** Who may use the doors that also allow local programs without a key. */
    static RouteAccess frontEndAccess(DialectSettings.ToolBackend settings, Agents agents) {
        AgentId agent = settings.anonymous();
        if (agent == null) {
            return RouteAccess.anyPrincipal();
        }
        if (AnonymousAgent.isSupported()) {
            LOG.warn(
                    "Local programs of the same user may use tools as agent '{}' without a key, at /tools,"
                            + " /execute-tool and /mcp",
                    agent);
        } else {
            LOG.warn(
                    "The owner of a connection cannot be determined on this system, so"
                            + " dialect.toolbackend.anonymous_agent has no effect; give the front end a key of agent"
                            + " '{}'",
                    agent);
        }
        return RouteAccess.principalOr(new AnonymousAgent(
                agent,
                id -> agents.find(Principal.FIRST_TENANT, id).isPresent(),
                Set.copyOf(settings.allowedOrigins())));
    }

    static Cors cors(DialectSettings settings) {
        return new Cors(Set.copyOf(settings.toolbackend().allowedOrigins()), ToolBackendRoutes.PATHS);
    }
}
