package dev.toolgate.server;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.port.Policies;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.server.config.DialectSettings;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.dialect.HttpCalls;
import dev.toolgate.server.dialect.backendtools.BackendToolRoutes;
import dev.toolgate.server.dialect.toolbackend.AnonymousAgent;
import dev.toolgate.server.dialect.toolbackend.ToolBackendRoutes;
import dev.toolgate.server.dialect.toolbackend.ToolListing;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Cors;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.server.operate.Gate;
import dev.toolgate.store.Database;
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
            Gate gate,
            HttpCalls calls,
            ToolCatalog catalog,
            Grants grants,
            Policies policies,
            Database database,
            InstantSource clock) {
        int largestCall = Math.toIntExact(settings.http().maxBody().bytes());
        Access frontEnds = whoMayComeIn(settings.dialect().toolbackend(), database);
        return Stream.of(
                        new ToolBackendRoutes(
                                        calls,
                                        new ToolListing(catalog, grants, policies, clock),
                                        frontEnds,
                                        largestCall)
                                .all(),
                        new BackendToolRoutes(gate, calls, largestCall).all())
                .flatMap(List::stream)
                .toList();
    }

    private static Access whoMayComeIn(DialectSettings.ToolBackend settings, Database database) {
        AgentId agent = settings.anonymous();
        if (agent == null) {
            return Access.anyPrincipal();
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
        Agents agents = new Agents(database.jdbi(), _ -> {});
        return Access.principalOr(new AnonymousAgent(
                agent,
                id -> agents.find(Principal.FIRST_TENANT, id).isPresent(),
                Set.copyOf(settings.allowedOrigins())));
    }

    static Cors cors(DialectSettings settings) {
        return new Cors(Set.copyOf(settings.toolbackend().allowedOrigins()), ToolBackendRoutes.PATHS);
    }
}
