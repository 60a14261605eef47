package dev.toolgate.server.door.chat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.server.admin.approval.ApprovalAnswerHandler;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.model.ModelProviders;
import dev.toolgate.store.session.SessionTokens;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The services that conversations need.
 *
 * @param trust the trust level of an agent; empty if there is no such agent
 */
public record ChatServices(
        Gate gate,
        ToolCatalog catalog,
        Grants grants,
        Policies policies,
        SessionTokens tokens,
        ModelProviders providers,
        ApprovalAnswerHandler answerHandler,
        BiFunction<TenantId, AgentId, Optional<TrustLevel>> trust,
        InstantSource clock) {}
