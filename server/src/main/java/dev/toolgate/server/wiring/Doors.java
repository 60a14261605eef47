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

/** The doors beside the access API, wired. */
final class Doors {
    private static final Logger LOG = LoggerFactory.getLogger(Doors.class);

    private Doors() {}

    static List<Route> routes(
            ServerSettings settings,
            StoreParts store,
            Gate gate,
            HttpCalls calls,
            ToolCatalog catalog,
            Agents agents,
            InstantSource clock) {
        int largestCall = Math.toIntExact(settings.http().maxBody().bytes());
        RouteAccess frontEnds = whoMayComeIn(settings.dialect().toolbackend(), agents);
        return Stream.of(
                        new ToolBackendRoutes(
                                        calls,
                                        new ToolListing(catalog, store.grants(), store.policies(), clock),
                                        frontEnds,
                                        largestCall)
                                .all(),
                        new BackendToolRoutes(gate, calls, largestCall).all())
                .flatMap(List::stream)
                .toList();
    }

    private static RouteAccess whoMayComeIn(DialectSettings.ToolBackend settings, Agents agents) {
        AgentId agent = settings.anonymous();
        if (agent == null) {
            return RouteAccess.anyPrincipal();
        }
        if (AnonymousAgent.isPossible()) {
            LOG.warn(
                    "Programs of the same user on this machine may use tools as agent '{}' without a key, at /tools and"
                            + " /execute-tool.",
                    agent);
        } else {
            LOG.warn(
                    "This system does not tell which user a connection belongs to, so the setting"
                            + " dialect.toolbackend.anonymous_agent lets nobody in; give the front end a key of agent '{}'.",
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
