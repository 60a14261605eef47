package dev.toolgate.server.admin.review;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.server.admin.review.ProposalAnswer.Proposal;
import dev.toolgate.server.admin.review.ProposalAnswer.ProposedChange;
import dev.toolgate.store.audit.query.RecordedCalls;
import dev.toolgate.store.grant.GrantUsage;
import dev.toolgate.store.grant.Holder;
import dev.toolgate.store.grant.Permission;
import dev.toolgate.store.grant.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Proposes changes towards least privilege: unused grants are cleared, and grants whose calls have something in common
 * are limited to that. A condition is proposed only if every recorded call meets it when the gate evaluates it.
 */
public final class Proposals {
    private static final int MAX_OF_A_KIND = 500;
    private static final int MIN_CALLS = 20;
    private static final RecordedCalls.Limits LIMITS =
            new RecordedCalls.Limits(20_000, 32L << 20, Duration.ofSeconds(10));

    private final GrantUsage usage;
    private final RecordedCalls records;
    private final Conditions conditions;
    private final ToolCatalog catalog;

    public Proposals(GrantUsage usage, RecordedCalls records, Conditions conditions, ToolCatalog catalog) {
        this.usage = usage;
        this.records = records;
        this.conditions = conditions;
        this.catalog = catalog;
    }

    ProposalAnswer of(TenantId tenant, int days, Instant now) {
        Instant since = now.minus(Duration.ofDays(days));
        GrantUsage.Found found = usage.since(tenant, since, MAX_OF_A_KIND + 1);
        List<Proposal> proposals = new ArrayList<>();
        found.unused().stream()
                .limit(MAX_OF_A_KIND)
                .map(permission -> unused(permission, days))
                .forEach(proposals::add);
        List<Permission> used = found.used().stream()
                .filter(permission -> permission.state(now) == Permission.State.ALLOWED)
                .limit(MAX_OF_A_KIND)
                .toList();
        RecordedCalls.Found calls = used.isEmpty()
                ? new RecordedCalls.Found(List.of(), RecordedCalls.Cut.NONE)
                : records.newest(
                        new RecordedCalls.Selection(
                                tenant,
                                used.stream().map(Proposals::agent).distinct().toList(),
                                used.stream()
                                        .map(Permission::toolName)
                                        .distinct()
                                        .toList(),
                                since),
                        LIMITS);
        // A condition must cover every call, so that it is proposed only if every call was read.
        if (calls.cut() == RecordedCalls.Cut.NONE) {
            Map<String, List<RecordedCalls.Recorded>> byPair = calls.calls().stream()
                    .filter(call -> call.status() != AuditLog.Status.REFUSED)
                    .collect(Collectors.groupingBy(call -> pair(call.agentId(), call.toolName())));
            used.forEach(permission -> narrower(
                            tenant,
                            permission,
                            byPair.getOrDefault(pair(agent(permission), permission.toolName()), List.of()))
                    .ifPresent(proposals::add));
        }
        return new ProposalAnswer(
                days,
                since,
                proposals,
                found.unused().size() > MAX_OF_A_KIND || found.used().size() > MAX_OF_A_KIND,
                exclusions(found, calls));
    }

    private static @Nullable String exclusions(GrantUsage.Found found, RecordedCalls.Found calls) {
        if (found.reach() == GrantUsage.Reach.TOO_SLOW) {
            return "Reading the records of this period took too long; ask for fewer days.";
        }
        return calls.cut() == RecordedCalls.Cut.NONE
                ? null
                : "There are too many calls to derive conditions from; ask for fewer days.";
    }

    private static String pair(String agent, String tool) {
        return agent + "\n" + tool;
    }

    private static String agent(Permission permission) {
        return switch (permission.holder()) {
            case Holder.Agent agent -> agent.id().value();
            case Holder.Group group -> throw new IllegalStateException("Only grants of agents are narrowed.");
        };
    }

    private static Proposal unused(Permission permission, int days) {
        ProposedChange change =
                switch (permission.holder()) {
                    case Holder.Agent agent -> ProposedChange.clear(agent.id().value(), null, permission.toolName());
                    case Holder.Group group -> ProposedChange.clear(null, group.id(), permission.toolName());
                };
        return new Proposal("unused", "No call has used this grant for " + days + " days.", 0, change);
    }

    private Optional<Proposal> narrower(TenantId tenant, Permission permission, List<RecordedCalls.Recorded> calls) {
        Optional<Tool<?>> tool = catalog.find(tenant, permission.toolName());
        Terms terms = permission.terms();
        if (calls.size() < MIN_CALLS || tool.isEmpty()) {
            return Optional.empty();
        }
        List<MaskedArguments> arguments =
                calls.stream().map(MaskedArguments::of).toList();
        if (arguments.stream().anyMatch(each -> each.completeness() == MaskedArguments.Completeness.CUT)) {
            return Optional.empty();
        }
        return NarrowerCondition.of(
                        arguments.stream().map(MaskedArguments::unreadable).toList())
                .filter(clause ->
                        terms.condition() == null || !terms.condition().contains(clause))
                .map(clause -> terms.condition() == null ? clause : "(" + terms.condition() + ") && " + clause)
                .filter(condition -> coversAll(condition, tenant, tool.get().spec(), calls, arguments))
                .map(condition -> new Proposal(
                        "narrower",
                        "All recorded calls meet this condition.",
                        calls.size(),
                        new ProposedChange(
                                agent(permission),
                                null,
                                permission.toolName(),
                                true,
                                null,
                                terms.approval() == Approval.REQUIRED,
                                condition,
                                terms.expiresAt(),
                                // A change resets the count, so only the remaining uses are granted.
                                terms.maxUses() == null ? null : Integer.valueOf(terms.maxUses() - permission.uses()),
                                terms.notes())));
    }

    private boolean coversAll(
            String text,
            TenantId tenant,
            ToolSpec<?> tool,
            List<RecordedCalls.Recorded> calls,
            List<MaskedArguments> arguments) {
        Condition condition;
        try {
            condition = conditions.compile(text);
        } catch (InvalidCondition tooLong) {
            return false;
        }
        for (int i = 0; i < calls.size(); i++) {
            RecordedCalls.Recorded recorded = calls.get(i);
            Call call = Call.of(
                            recorded.caller(tenant),
                            tool.name(),
                            arguments.get(i).unreadable())
                    .purpose(recorded.operation(), recorded.projectId());
            try {
                if (!condition.holds(call, tool, recorded.timestamp())) {
                    return false;
                }
            } catch (RuntimeException unanswered) {
                return false;
            }
        }
        return true;
    }
}
