package dev.toolgate.core.audit;

import java.util.List;

class InMemoryAuditLogTest extends AuditLogContract {
    private final InMemoryAuditLog log = new InMemoryAuditLog(1000);

    @Override
    protected AuditLog log() {
        return log;
    }

    @Override
    protected List<AuditLog.Entry> entries() {
        return log.entries();
    }
}
