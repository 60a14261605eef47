package dev.toolgate.store.audit.record;

/** An entry of a chain: a record or an anchor. */
public sealed interface ChainEntry permits AuditRecord, AuditAnchor {
    ChainLink link();

    /** Whether the entry matches its own hash; does not check its neighbours. */
    boolean isUnchanged();
}
