package dev.toolgate.server.wiring;

import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Route;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.approval.Answering;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.door.chat.ChatRoutes;
import dev.toolgate.server.door.chat.ChatWorld;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.model.ModelProviders;
import dev.toolgate.server.operate.metrics.Metrics;
import dev.toolgate.store.Database;
import dev.toolgate.store.approval.PostgresApprovalDesk;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.policy.SessionTokens;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Conversations with models, wired. */
final class ChatParts {
    private ChatParts() {}

    static List<Route> routes(
            ServerSettings settings,
            Gate gate,
            ToolCatalog catalog,
            Grants grants,
            Policies policies,
            ModelProviders models,
            Database database,
            Metrics metrics,
            Administration recording,
            Clock clock) {
        Agents agents = new Agents(database.jdbi(), _ -> {});
        ChatWorld world = new ChatWorld(
                gate,
                catalog,
                grants,
                policies,
                new SessionTokens(database.jdbi()),
                models,
                new Answering(new PostgresApprovalDesk(database.jdbi()), recording),
                (tenant, agent) -> agents.find(tenant, agent).flatMap(known -> TrustLevel.of(known.trustLevel())),
                clock);
        ChatRoutes routes =
                new ChatRoutes(world, Set.copyOf(settings.dialect().chat().allowedOrigins()));
        metrics.watch("toolgate.chat.conversations", "Answers that models are giving now", Map.of(), routes::running);
        return routes.all();
    }
}
