package dev.toolgate.store.audit.record;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * An entry in the chain of one instance that contains the heads of other chains, so that truncating or
 * removing those is detected.
 */
public record AuditAnchor(ChainLink link, Instant at, List<ChainHead> heads) implements ChainEntry {
    private static final String NOT_A_TENANT = "\u0001anchor"; // no digest of a call begins with this

    public AuditAnchor {
        at = at.truncatedTo(ChronoUnit.MICROS);
        heads = List.copyOf(heads);
    }

    /** The anchor that follows the last link of a chain. */
    public static AuditAnchor after(ChainHead last, Instant at, List<ChainHead> heads) {
        Instant stored = at.truncatedTo(ChronoUnit.MICROS);
        return new AuditAnchor(
                ChainLink.after(last.instanceId(), last.sequence(), last.hash(), digest(stored, heads)), stored, heads);
    }

    @Override
    public boolean isUnchanged() {
        return link.covers(digest(at, heads));
    }

    private static String digest(Instant at, List<ChainHead> heads) {
        FieldDigest digest = new FieldDigest().add(NOT_A_TENANT).add(at.toString());
        for (ChainHead head : heads) {
            digest.add(head.instanceId().toString()).add(head.sequence()).add(head.hash());
        }
        return digest.hex();
    }
}
