package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.Rule;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.tool.ToolSpec;
import java.util.List;
import java.util.Optional;
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
        ToolSpec<?> tool = passage.bound().tool().spec();
        Decision decision = rules.isEmpty()
                ? new Decision.Deny(ErrorCode.PERMISSION_DENIED, "No rule allows tool '" + tool.name() + "'")
                : Decision.allow();
        for (Rule rule : rules) {
            decision = decision.and(ask(rule, passage, tool));
        }
        passage.decided(decision, bounds(passage, tool));
        return switch (decision) {
            case Decision.Allow allowed -> Optional.empty();
            case Decision.NeedsApproval needed -> Optional.empty();
            case Decision.Deny denied -> Optional.of(new Outcome.Refused(Failure.of(denied.code(), denied.reason())));
        };
    }

    private static Decision ask(Rule rule, Passage passage, ToolSpec<?> tool) {
        try {
            return rule.decide(passage.call(), tool, passage.session());
        } catch (RuntimeException broken) {
            LOG.error("A rule failed for call {}", passage.call().requestId(), broken);
            return new Decision.Deny(
                    ErrorCode.PERMISSION_DENIED,
                    "A permission check for tool '" + tool.name() + "' could not be made, so the answer is no");
        }
    }

    private static Bounds bounds(Passage passage, ToolSpec<?> tool) {
        Call call = passage.call();
        Bounds bounds = call.bounds();
        if (call.scope() != null) {
            bounds = bounds.and(call.scope().permissionFor(tool).bounds());
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
