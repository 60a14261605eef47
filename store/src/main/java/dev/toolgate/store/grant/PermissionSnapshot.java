package dev.toolgate.store.grant;

import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.GrantState;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.decision.Grants.Refusal;
import dev.toolgate.core.decision.Grants.Uses;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of some agents and of their groups at one version. They are combined by the same code as for calls.
 */
public final class PermissionSnapshot {
    /** A permission that expires within this time ends soon. */
    public static final Duration SOON = Duration.ofDays(7);

    private final long version;
    private final Map<String, Map<String, Entry>> ofAgents;
    private final Map<String, Map<String, Entry>> ofGroups;
    private final Map<String, List<String>> groupsOf;
    private final Map<Uses, Integer> usesLeft;

    /**
     * A permission.
     *
     * @param grant {@code null} for a refusal
     */
    record Entry(@Nullable Grant grant) {
        static final Entry REFUSAL = new Entry(null);
        static final Entry PLAIN = new Entry(Grant.PLAIN);
    }

    PermissionSnapshot(
            long version,
            Map<String, Map<String, Entry>> ofAgents,
            Map<String, Map<String, Entry>> ofGroups,
            Map<String, List<String>> groupsOf,
            Map<Uses, Integer> usesLeft) {
        this.version = version;
        this.ofAgents = ofAgents;
        this.ofGroups = ofGroups;
        this.groupsOf = groupsOf;
        this.usesLeft = usesLeft;
    }

    /** The version of the tenant's permissions. */
    public long version() {
        return version;
    }

    /** The groups of an agent, sorted. */
    public List<String> groupsOf(String agent) {
        return groupsOf.getOrDefault(agent, List.of());
    }

    /** The tools for which there is any permission, sorted. */
    public Set<String> tools() {
        Set<String> tools = new TreeSet<>();
        ofAgents.values().forEach(entries -> tools.addAll(entries.keySet()));
        ofGroups.values().forEach(entries -> tools.addAll(entries.keySet()));
        return tools;
    }

    /** What an agent may do with each of these tools. */
    public List<MatrixCell> cells(String agent, List<String> tools, Instant now) {
        AgentGrants combined = grantsOf(agent);
        Map<String, Entry> own = ofAgents.getOrDefault(agent, Map.of());
        return tools.stream().map(tool -> cell(combined, own, tool, now)).toList();
    }

    private MatrixCell cell(AgentGrants combined, Map<String, Entry> own, String tool, Instant now) {
        Refusal refusal = combined.refused().get(tool);
        if (refusal != null) {
            return new MatrixCell(
                    MatrixCell.State.REFUSED,
                    refusal.group() == null ? MatrixCell.Origin.OWN : MatrixCell.Origin.GROUP,
                    MatrixCell.End.NOT_SOON);
        }
        List<Grant> grants = combined.find(tool);
        if (grants.isEmpty()) {
            return MatrixCell.UNSET;
        }
        GrantState state = state(grants, now);
        Entry ownEntry = own.get(tool);
        Grant ownGrant = ownEntry == null ? null : ownEntry.grant();
        boolean isOwn = ownGrant != null
                && (!state.isLive() || state(List.of(ownGrant), now).isLive());
        boolean endsSoon = state.isLive() && !state(grants, now.plus(SOON)).isLive();
        return new MatrixCell(
                MatrixCell.State.of(state),
                isOwn ? MatrixCell.Origin.OWN : MatrixCell.Origin.GROUP,
                endsSoon ? MatrixCell.End.SOON : MatrixCell.End.NOT_SOON);
    }

    private GrantState state(List<Grant> grants, Instant at) {
        return GrantState.of(grants, at, this::usesLeft);
    }

    /** A copy with a draft applied; a changed grant starts with all its uses. */
    PermissionSnapshot with(List<Edit> draft, Function<String, Condition> conditions) {
        Map<String, Map<String, Entry>> agents = new HashMap<>(ofAgents);
        Map<String, Map<String, Entry>> groups = new HashMap<>(ofGroups);
        Map<Uses, Integer> left = new HashMap<>(usesLeft);
        Map<Holder, Map<String, Entry>> copies = new HashMap<>();
        for (Edit edit : draft) {
            Map<String, Entry> entries = copies.computeIfAbsent(edit.holder(), holder -> switch (holder) {
                case Holder.Agent agent -> agents.compute(agent.id().value(), PermissionSnapshot::copied);
                case Holder.Group group -> groups.compute(group.id(), PermissionSnapshot::copied);
            });
            switch (edit.setting()) {
                case Edit.Clear clear -> entries.remove(edit.tool());
                case Edit.Refuse refuse -> entries.put(edit.tool(), Entry.REFUSAL);
                case Edit.Allow(Terms terms) -> {
                    Uses uses = terms.maxUses() == null ? null : new Uses("draft-" + left.size(), terms.maxUses());
                    if (uses != null) {
                        left.put(uses, uses.max());
                    }
                    String condition = terms.condition();
                    entries.put(
                            edit.tool(),
                            new Entry(new Grant(
                                    terms.approval(),
                                    terms.expiresAt(),
                                    condition == null ? null : conditions.apply(condition),
                                    uses)));
                }
            }
        }
        return new PermissionSnapshot(version, agents, groups, groupsOf, left);
    }

    private static Map<String, Entry> copied(String holder, @Nullable Map<String, Entry> entries) {
        return entries == null ? new HashMap<>() : new HashMap<>(entries);
    }

    /** The remaining uses of a counted grant at the time of the snapshot. */
    int usesLeft(Uses uses) {
        return usesLeft.getOrDefault(uses, 0);
    }

    /** The combined grants of an agent. */
    AgentGrants grantsOf(String agent) {
        GrantCombination combination = new GrantCombination();
        add(combination, ofAgents.get(agent), null);
        groupsOf(agent).forEach(group -> add(combination, ofGroups.get(group), group));
        return combination.at(version);
    }

    private static void add(
            GrantCombination combination, @Nullable Map<String, Entry> entries, @Nullable String group) {
        if (entries == null) {
            return;
        }
        entries.forEach((tool, entry) -> {
            if (entry.grant() == null) {
                combination.refuse(tool, group);
            } else {
                combination.grant(tool, entry.grant());
            }
        });
    }
}
