package dev.toolgate.core.decision;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.tool.ToolCatalog;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Says what would help an agent that was denied a tool; never to ask for what it has been granted already. */
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
        String tool = catalog.find(calledAs).map(found -> found.spec().name()).orElse(calledAs);
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
                    case CONDITIONAL ->
                        "'" + tool + "' is granted on a condition that this call does not meet; change the call, or ask"
                                + " an operator to change the condition.";
                    case GRANTED ->
                        "'" + tool
                                + "' is granted, but not within this workflow or session; use a tool that they allow.";
                };
    }

    private enum State {
        NOT_GRANTED,
        EXPIRED,
        USED_UP,
        CONDITIONAL,
        GRANTED
    }

    // Of several grants the one that comes closest to a yes decides what would help.
    private State state(TenantId tenant, List<Grant> found) {
        Instant now = clock.instant();
        return found.stream()
                .map(grant -> state(tenant, grant, now))
                .max(State::compareTo)
                .orElse(State.NOT_GRANTED);
    }

    private State state(TenantId tenant, Grant grant, Instant now) {
        if (grant.expiresAt() != null && !now.isBefore(grant.expiresAt())) {
            return State.EXPIRED;
        }
        if (grant.uses() != null && grants.usesLeft(tenant, grant.uses()) < 1) {
            return State.USED_UP;
        }
        return grant.condition() == null ? State.GRANTED : State.CONDITIONAL;
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
        String ask =
                "ask an operator to grant '" + tool + "' to agent '" + agent + "', or have an agent do it that may";
        return allowed.isEmpty()
                ? "This agent has not been granted any tool yet; " + ask + "."
                : "Use one of the allowed tools, " + ask + ".";
    }
}
