package dev.toolgate.store.audit;

/** One row of the audit log. */
public record AuditRecord(long id, CallFacts call, ChainLink link) {

    /** Whether the record is as it was written; says nothing about its neighbours. */
    public boolean isUnchanged() {
        return link.hash()
                .equals(ChainLink.hash(link.instanceId(), link.sequence(), link.previousHash(), call.digest()));
    }
}
