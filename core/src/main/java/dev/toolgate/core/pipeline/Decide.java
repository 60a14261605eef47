package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.Rule;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolSpec;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Third stage: every rule speaks, the strictest wins, and what remains is how far the tool may go. */
public final class Decide implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Decide.class);

    private final List<Rule> rules;

    public Decide(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    @Override
    public Optional<Outcome> apply(Passage passage) {
        Tool<?> tool = passage.tool();
        Decision decision = rules.isEmpty()
                ? new Decision.Deny(ErrorCode.PERMISSION_DENIED, "No rule allows tool '" + passage.toolName() + "'")
                : Decision.allow();
        for (Rule rule : rules) {
            decision = decision.and(ask(rule, passage, tool));
        }
        passage.decided(decision, tool == null ? passage.call().bounds() : bounds(passage, tool.spec()));
        return switch (decision) {
            case Decision.Allow allowed -> unusable(passage);
            case Decision.NeedsApproval needed -> unusable(passage);
            case Decision.Deny denied -> Optional.of(new Outcome.Refused(Failure.of(denied.code(), denied.reason())));
        };
    }

    private static Optional<Outcome> unusable(Passage passage) {
        if (passage.tool() == null) {
            return Optional.of(new Outcome.Failed(Failure.of(
                    ErrorCode.TOOL_NOT_FOUND, "Unknown tool: " + passage.call().toolName())));
        }
        return Optional.ofNullable(passage.misfit()).map(Outcome.Failed::new);
    }

    private static Decision ask(Rule rule, Passage passage, @Nullable Tool<?> tool) {
        try {
            return tool == null
                    ? rule.decideUnknown(passage.call())
                    : rule.decide(passage.call(), tool.spec(), passage.session());
        } catch (Unavailable unreachable) {
            LOG.warn("A rule could not be asked for call {}: {}", passage.call().requestId(), unreachable.getMessage());
            return new Decision.Deny(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "Whether tool '" + passage.toolName()
                            + "' may be used cannot be found out now, so nothing was done");
        } catch (RuntimeException broken) {
            LOG.error("A rule failed for call {}", passage.call().requestId(), broken);
            return new Decision.Deny(
                    ErrorCode.PERMISSION_DENIED,
                    "A permission check for tool '" + passage.toolName() + "' could not be made, so the answer is no");
        }
    }

    private static Bounds bounds(Passage passage, ToolSpec<?> tool) {
        Call call = passage.call();
        Bounds bounds = call.bounds();
        if (call.scope() != null) {
            bounds = bounds.and(tool.permissionIn(call.scope()).bounds());
        }
        if (passage.session() != null) {
            bounds = bounds.and(passage.session()
                    .capability(tool.capability())
                    .map(CapabilityGrant::bounds)
                    .orElse(Bounds.none()));
        }
        return bounds;
    }
}
