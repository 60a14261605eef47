package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.AuditAnchor;
import dev.toolgate.store.audit.record.ChainHead;
import dev.toolgate.store.audit.record.ChainLink;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The heads of chains that anchors claim. Only the furthest claim about a chain matters, because a hash covers
 * everything before it. Claims are known before the chains are read, and compared at the end with the anchors that were
 * actually read, so that one pass is enough.
 */
public final class ChainClaims {
    private final Chains.Extent extent;
    private final Map<UUID, ChainEnds> ends;
    private final Map<UUID, ChainHead> given = new HashMap<>();
    private final Map<UUID, ChainHead> read = new HashMap<>();

    ChainClaims(Chains.Extent extent, Map<UUID, ChainEnds> ends, Collection<ChainHead> claims) {
        this.extent = extent;
        this.ends = ends;
        claims.forEach(claim -> given.put(claim.instanceId(), claim));
    }

    /** The furthest claims of anchors about segments of chains. */
    public static List<ChainHead> furthest(Collection<ChainEnds> stretches, Iterator<AuditAnchor> anchors) {
        ChainClaims claims = new ChainClaims(
                Chains.Extent.PART,
                stretches.stream().collect(Collectors.toMap(ChainEnds::instanceId, Function.identity())),
                List.of());
        anchors.forEachRemaining(claims::read);
        return List.copyOf(claims.read.values());
    }

    /** Reads an anchor, and returns where it contradicts another one. */
    List<ChainFault> read(AuditAnchor anchor) {
        List<ChainFault> faults = new ArrayList<>();
        for (ChainHead head : anchor.heads()) {
            if (!concerns(head)) {
                continue;
            }
            ChainHead furthest =
                    read.merge(head.instanceId(), head, (one, two) -> one.sequence() >= two.sequence() ? one : two);
            if (furthest.sequence() == head.sequence() && !furthest.hash().equals(head.hash())) {
                faults.add(fault(ChainFault.Kind.CHANGED, head));
            }
        }
        return faults;
    }

    /** Whether an anchor claims another hash for this sequence. */
    boolean contradicts(ChainLink link) {
        ChainHead claim = given.get(link.instanceId());
        return claim != null
                && claim.sequence() == link.sequence()
                && !claim.hash().equals(link.hash());
    }

    /** Claims whose records are missing, and claims that differ from the anchors that were read. */
    List<ChainFault> unmet() {
        List<ChainFault> faults = new ArrayList<>();
        for (ChainHead claim : given.values()) {
            if (concerns(claim) && !isWithinReach(claim)) {
                faults.add(fault(ChainFault.Kind.REMOVED, claim));
            }
        }
        if (!given.equals(read)) {
            Map<UUID, ChainHead> either = new HashMap<>(given);
            either.putAll(read);
            either.values().stream()
                    .filter(claim ->
                            !claim.equals(given.get(claim.instanceId())) || !claim.equals(read.get(claim.instanceId())))
                    .forEach(claim -> faults.add(fault(ChainFault.Kind.CHANGED, claim)));
        }
        return faults;
    }

    // In a part of the log, an anchor may refer to records that are not included.
    private boolean concerns(ChainHead head) {
        ChainEnds end = ends.get(head.instanceId());
        return switch (extent) {
            case WHOLE -> end == null || head.sequence() > end.prunedSequence();
            case PART -> end != null && end.reaches(head.sequence());
        };
    }

    private boolean isWithinReach(ChainHead head) {
        ChainEnds end = ends.get(head.instanceId());
        return end != null && end.reaches(head.sequence());
    }

    private static ChainFault fault(ChainFault.Kind kind, ChainHead at) {
        return new ChainFault(kind, at.instanceId(), at.sequence());
    }
}
