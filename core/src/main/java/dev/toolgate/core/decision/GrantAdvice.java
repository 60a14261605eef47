package dev.toolgate.core.decision;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.tool.ToolCatalog;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Advises an agent that was denied a tool; never suggests asking for what it already has. */
public final class GrantAdvice {
    private final Grants grants;
    private final ToolCatalog catalog;
    private final Clock clock;

    public GrantAdvice(Grants grants, ToolCatalog catalog, Clock clock) {
        this.grants = grants;
        this.catalog = catalog;
        this.clock = clock;
    }

    /**
     * What to do, in one sentence.
     *
     * @param calledAs the tool's name or any alias
     * @param allowed the tools the agent may use
     */
    public String of(TenantId tenant, AgentId agent, String calledAs, List<String> allowed) {
        String tool =
                catalog.find(tenant, calledAs).map(found -> found.spec().name()).orElse(calledAs);
        Optional<Grants.Refusal> refusal = grants.refusal(tenant, agent, tool);
        return refusal.isPresent()
                ? refused(refusal.get(), agent, tool)
                : switch (state(tenant, grants.find(tenant, agent, tool))) {
                    case NOT_GRANTED -> ask(agent, tool, allowed);
                    case EXPIRED ->
                        "The grant of '" + tool + "' to agent '" + agent
                                + "' has expired; ask an operator to renew it, or use one of the allowed tools.";
                    case USED_UP ->
                        "The grant of '" + tool + "' to agent '" + agent
                                + "' is used up; ask an operator for more uses, or use one of the allowed tools.";
                    case CONDITIONAL, CONDITIONAL_WITH_APPROVAL ->
                        "'" + tool + "' is granted on a condition that this call does not meet; change the call, or ask"
                                + " an operator to change the condition.";
                    case NEEDS_APPROVAL, APPROVAL_ON_CONDITION, ALLOWED ->
                        "'" + tool
                                + "' is granted, but not within this workflow or session; use a tool that they allow.";
                };
    }

    private GrantState state(TenantId tenant, List<Grant> found) {
        return GrantState.of(found, clock.instant(), uses -> grants.usesLeft(tenant, uses));
    }

    private static String refused(Grants.Refusal refusal, AgentId agent, String tool) {
        return refusal.group() == null
                ? "An operator has refused '" + tool + "' to agent '" + agent
                        + "', and that wins over every grant; use one of the allowed tools, or ask for it to be taken"
                        + " back."
                : "Group '" + refusal.group() + "' refuses '" + tool
                        + "' to its members, and that wins over every grant; ask an operator to change the group, or to"
                        + " take agent '" + agent + "' out of it.";
    }

    private static String ask(AgentId agent, String tool, List<String> allowed) {
        String ask = "ask an operator to grant '" + tool + "' to agent '" + agent + "', or use an agent that has it";
        return allowed.isEmpty()
                ? "This agent has not been granted any tool yet; " + ask + "."
                : "Use one of the allowed tools, " + ask + ".";
    }
}
