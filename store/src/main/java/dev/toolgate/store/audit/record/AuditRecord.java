package dev.toolgate.store.audit.record;

/** One row of the audit log. */
public record AuditRecord(long id, CallFacts call, ChainLink link) implements ChainEntry {

    @Override
    public boolean isUnchanged() {
        return RecordDigest.covers(call) && link.covers(call.digest());
    }
}
