package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.Prospect;
import dev.toolgate.core.decision.Rule;
import dev.toolgate.core.decision.Verdict;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Third stage: asks every rule; the strictest decision wins. Also computes the effective limits of the call. */
public final class Decide implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Decide.class);

    private final List<Rule> rules;

    public Decide(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    @Override
    public Optional<StageEnd> apply(CallProgress progress) {
        Tool<?> tool = progress.tool();
        ToolSpec<?> spec = tool == null ? null : tool.spec();
        Decision decision = beforeAnyRule(progress.toolName());
        for (Rule rule : rules) {
            decision = decision.and(ask(rule, progress.call(), spec, progress.session()));
        }
        progress.decided(decision, tool == null ? progress.call().bounds() : bounds(progress, tool.spec()));
        return switch (decision) {
            case Decision.Allow allowed -> unusable(progress);
            case Decision.NeedsApproval needed -> unusable(progress);
            case Decision.Deny denied -> Optional.of(denied(denied));
        };
    }

    private Decision beforeAnyRule(String toolName) {
        return rules.isEmpty()
                ? new Decision.Deny(ErrorCode.PERMISSION_DENIED, "No rule allows tool '" + toolName + "'")
                : Decision.allow();
    }

    /** What the rules decide about a call of a known tool, and nothing else; for calls that are not made. */
    public Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        Decision decision = beforeAnyRule(tool.name());
        for (Rule rule : rules) {
            decision = decision.and(ask(rule, call, tool, session));
        }
        return decision;
    }

    /** The same decision as {@link #apply}, with what each rule says. */
    Explanation explain(CallProgress progress) {
        Tool<?> tool = progress.tool();
        Decision decision = beforeAnyRule(progress.toolName());
        List<Verdict> verdicts = new ArrayList<>();
        for (Rule rule : rules) {
            Decision one = ask(rule, progress.call(), tool == null ? null : tool.spec(), progress.session());
            verdicts.add(new Verdict(rule.name(), one));
            decision = decision.and(one);
        }
        return new Explanation(decision, verdicts, obstacle(progress).orElse(null));
    }

    // An unavailable rule has not decided, so this is neither counted nor recorded as a refusal.
    private static StageEnd denied(Decision.Deny denied) {
        return denied.code() == ErrorCode.SERVICE_UNAVAILABLE
                ? StageEnd.unavailable(denied.reason())
                : StageEnd.refused(denied.code(), denied.reason());
    }

    private static Optional<StageEnd> unusable(CallProgress progress) {
        return obstacle(progress).map(why -> new StageEnd.Ended(new Outcome.Failed(why)));
    }

    private static Optional<Failure> obstacle(CallProgress progress) {
        return progress.tool() == null
                ? Optional.of(Failure.of(
                        ErrorCode.TOOL_NOT_FOUND,
                        "Unknown tool: " + progress.call().toolName()))
                : Optional.ofNullable(progress.argumentError());
    }

    private static Decision ask(Rule rule, Call call, @Nullable ToolSpec<?> tool, @Nullable PolicyBundle session) {
        try {
            return tool == null ? rule.decideUnknown(call) : rule.decide(call, tool, session);
        } catch (Unavailable unreachable) {
            LOG.warn("Call {}: a permission check is unavailable: {}", call.requestId(), unreachable.getMessage());
            return new Decision.Deny(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "The permission check is unavailable; '" + named(call, tool) + "' was not run");
        } catch (RuntimeException broken) {
            LOG.error("Call {}: a permission check failed", call.requestId(), broken);
            return new Decision.Deny(
                    ErrorCode.PERMISSION_DENIED,
                    "A permission check for tool '" + named(call, tool) + "' could not be made, so it was denied");
        }
    }

    private static String named(Call call, @Nullable ToolSpec<?> tool) {
        return tool == null ? call.toolName() : tool.name();
    }

    /**
     * What the rules may decide about calls of a tool, whatever their arguments.
     *
     * @throws Unavailable if a rule cannot be evaluated now
     */
    Prospect prospect(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        Prospect prospect = rules.isEmpty() ? Prospect.DENIED : Prospect.ALLOWED;
        for (Rule rule : rules) {
            prospect = prospect.and(prospect(rule, call, tool, session));
        }
        return prospect;
    }

    private static Prospect prospect(Rule rule, Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        try {
            return rule.prospect(call, tool, session);
        } catch (Unavailable unreachable) {
            throw unreachable;
        } catch (RuntimeException broken) {
            LOG.error("A permission check for tool '{}' failed, so it is not shown", tool.name(), broken);
            return Prospect.DENIED;
        }
    }

    private static Bounds bounds(CallProgress progress, ToolSpec<?> tool) {
        Call call = progress.call();
        Bounds bounds = call.bounds();
        if (call.scope() != null) {
            bounds = bounds.and(tool.permissionIn(call.scope()).bounds());
        }
        if (progress.session() != null) {
            bounds = bounds.and(progress.session()
                    .capability(tool.capability())
                    .map(CapabilityGrant::bounds)
                    .orElse(Bounds.none()));
        }
        return bounds;
    }
}
