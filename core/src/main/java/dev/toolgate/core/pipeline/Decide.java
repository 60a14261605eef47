package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
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

/** Third stage: asks every rule; the strictest decision wins, and what remains of the limits goes with the call. */
public final class Decide implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Decide.class);

    private final List<Rule> rules;

    public Decide(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    @Override
    public Optional<StageEnd> apply(Passage passage) {
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
            case Decision.Deny denied -> Optional.of(denied(denied));
        };
    }

    // A rule that could not be asked has said nothing, so it is no refusal that would count or go on record.
    private static StageEnd denied(Decision.Deny denied) {
        return denied.code() == ErrorCode.SERVICE_UNAVAILABLE
                ? StageEnd.unavailable(denied.reason())
                : StageEnd.refused(denied.code(), denied.reason());
    }

    private static Optional<StageEnd> unusable(Passage passage) {
        if (passage.tool() == null) {
            return Optional.of(StageEnd.failed(
                    ErrorCode.TOOL_NOT_FOUND, "Unknown tool: " + passage.call().toolName()));
        }
        return Optional.ofNullable(passage.misfit()).map(misfit -> new StageEnd.Over(new Outcome.Failed(misfit)));
    }

    private static Decision ask(Rule rule, Passage passage, @Nullable Tool<?> tool) {
        try {
            return tool == null
                    ? rule.decideUnknown(passage.call())
                    : rule.decide(passage.call(), tool.spec(), passage.session());
        } catch (Unavailable unreachable) {
            LOG.warn(
                    "Call {}: a permission check is unavailable: {}",
                    passage.call().requestId(),
                    unreachable.getMessage());
            return new Decision.Deny(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "The permission check is unavailable; '" + passage.toolName() + "' was not run");
        } catch (RuntimeException broken) {
            LOG.error("Call {}: a permission check failed", passage.call().requestId(), broken);
            return new Decision.Deny(
                    ErrorCode.PERMISSION_DENIED,
                    "A permission check for tool '" + passage.toolName() + "' could not be made, so it was denied");
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
