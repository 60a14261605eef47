package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.AuditAnchor;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.ChainEntry;
import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Verifies that audit records are exactly those that were written. */
public final class AuditChain {
    private static final int MAX_FAULTS = 100;

    private final Map<UUID, ChainEnds> ends;
    private final ChainClaims claims;
    private final CheckpointComparison checkpoints;
    private final Set<UUID> finished = new HashSet<>();
    private final List<ChainFault> faults = new ArrayList<>();
    private long records;
    private long anchors;
    private @Nullable Place place;

    private AuditChain(Chains chains, KnownCheckpoints known) {
        this.ends = chains.ends().stream()
                .collect(Collectors.toMap(ChainEnds::instanceId, Function.identity(), (first, again) -> first));
        this.claims = new ChainClaims(chains.extent(), ends, chains.claims());
        this.checkpoints = new CheckpointComparison(chains.extent(), ends, known);
    }

    /** Verifies chains from {@code AuditQueries.chains} or from an export. */
    public static Report verify(Chains chains) {
        return verify(chains, KnownCheckpoints.none());
    }

    /** The same, and compares them with signed checkpoints. */
    public static Report verify(Chains chains, KnownCheckpoints known) {
        AuditChain chain = new AuditChain(chains, known);
        chains.entries().forEachRemaining(chain::check);
        return chain.report();
    }

    /**
     * The result, with at most a hundred faults.
     *
     * @param checkpoints the number of signed checkpoints that the chains were compared with
     */
    public record Report(long records, long anchors, long checkpoints, List<ChainFault> faults) {
        public Report {
            faults = List.copyOf(faults);
        }

        /** Whether nothing was changed, removed or reordered. */
        public boolean isWhole() {
            return faults.isEmpty();
        }
    }

    private void check(ChainEntry entry) {
        switch (entry) {
            case AuditRecord record -> records++;
            case AuditAnchor anchor -> {
                anchors++;
                claims.read(anchor).forEach(this::fault);
            }
        }
        ChainLink link = entry.link();
        Place here = enter(link);
        if (!entry.isUnchanged() || claims.contradicts(link)) {
            fault(ChainFault.Kind.CHANGED, link);
        }
        if (link.sequence() <= here.pruned) {
            return; // retained longer than its neighbours: only its own hash can be checked
        }
        if (link.sequence() <= here.sequence) {
            fault(ChainFault.Kind.REORDERED, link);
            return;
        }
        if (link.sequence() > here.sequence + 1) {
            fault(ChainFault.Kind.REMOVED, link);
        } else if (!link.previousHash().equals(here.hash)) {
            fault(ChainFault.Kind.CHANGED, link);
        }
        here.sequence = link.sequence();
        here.hash = link.hash();
        if (!checkpoints.matches(link)) {
            fault(ChainFault.Kind.CHANGED, link);
        }
    }

    private Place enter(ChainLink link) {
        Place current = place;
        if (current != null && current.instanceId.equals(link.instanceId())) {
            return current;
        }
        leave();
        if (finished.contains(link.instanceId())) {
            fault(ChainFault.Kind.REORDERED, link);
        }
        ChainEnds known = ends.get(link.instanceId());
        if (known == null) {
            fault(ChainFault.Kind.REMOVED, link); // the row of the chain in audit_instances is missing
        }
        Place next = known == null ? new Place(link) : new Place(known);
        place = next;
        return next;
    }

    private void leave() {
        Place left = place;
        if (left != null && finished.add(left.instanceId)) {
            checkEnd(left.instanceId, left.sequence, left.hash);
        }
    }

    private Report report() {
        leave();
        for (ChainEnds end : ends.values()) {
            if (!finished.contains(end.instanceId())) {
                checkEnd(end.instanceId(), end.prunedSequence(), end.prunedHash());
            }
        }
        claims.unmet().forEach(this::fault);
        checkpoints.unmet().forEach(this::fault);
        return new Report(records, anchors, checkpoints.count(), faults);
    }

    private void checkEnd(UUID instanceId, long sequence, String hash) {
        ChainEnds end = ends.get(instanceId);
        if (end != null && sequence < end.lastSequence()) {
            fault(new ChainFault(ChainFault.Kind.REMOVED, instanceId, end.lastSequence()));
        } else if (end != null && (sequence != end.lastSequence() || !hash.equals(end.lastHash()))) {
            fault(new ChainFault(ChainFault.Kind.CHANGED, instanceId, sequence));
        }
    }

    private void fault(ChainFault.Kind kind, ChainLink at) {
        fault(new ChainFault(kind, at.instanceId(), at.sequence()));
    }

    private void fault(ChainFault fault) {
        if (faults.size() < MAX_FAULTS) {
            faults.add(fault);
        }
    }

    /** The position in the current chain. */
    private static final class Place {
        private final UUID instanceId;
        private final long pruned;
        private long sequence;
        private String hash;

        Place(ChainEnds ends) {
            this.instanceId = ends.instanceId();
            this.pruned = ends.prunedSequence();
            this.sequence = ends.prunedSequence();
            this.hash = ends.prunedHash();
        }

        Place(ChainLink first) {
            this.instanceId = first.instanceId();
            this.pruned = 0;
            this.sequence = first.sequence() - 1;
            this.hash = first.previousHash();
        }
    }
}
