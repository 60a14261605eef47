package dev.toolgate.server.wiring;

import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Route;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.approval.ApprovalAnswerHandler;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.door.chat.ChatRoutes;
import dev.toolgate.server.door.chat.ChatServices;
import dev.toolgate.server.model.ModelProviders;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.session.SessionTokens;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Wires conversations with models. */
final class ChatParts {
    private ChatParts() {}

    static List<Route> routes(
            ServerSettings settings,
            StoreParts store,
            GateParts gate,
            ToolCatalog catalog,
            Agents agents,
            ModelProviders models,
            Administration recording,
            Clock clock) {
        ChatServices services = new ChatServices(
                gate.gate(),
                catalog,
                store.grants(),
                store.policies(),
                new SessionTokens(store.database().jdbi()),
                models,
                new ApprovalAnswerHandler(store.desk(), recording),
                (tenant, agent) -> agents.find(tenant, agent).flatMap(known -> TrustLevel.of(known.trustLevel())),
                clock);
        ChatRoutes routes =
                new ChatRoutes(services, Set.copyOf(settings.dialect().chat().allowedOrigins()));
        gate.metrics()
                .watch("toolgate.chat.conversations", "Answers that models are giving now", Map.of(), routes::running);
        return routes.all();
    }
}
