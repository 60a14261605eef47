package dev.toolgate.core.audit;

import dev.toolgate.core.call.RequestKeys;
import java.util.List;

class InMemoryRequestKeysTest extends RequestKeysContract {
    private final InMemoryAuditLog log = new InMemoryAuditLog(1000);

    @Override
    protected AuditLog log() {
        return log;
    }

    @Override
    protected RequestKeys keys() {
        return log;
    }

    @Override
    protected List<String> recorded() {
        return log.entries().stream().map(entry -> entry.requestId().value()).toList();
    }
}
