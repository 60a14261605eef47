package dev.toolgate.store.audit.record;

/** Anything that has a place in a chain. */
public sealed interface ChainEntry permits AuditRecord, AuditAnchor {
    ChainLink link();

    /** Whether the entry is as it was written; says nothing about its neighbours. */
    boolean isUnchanged();
}
