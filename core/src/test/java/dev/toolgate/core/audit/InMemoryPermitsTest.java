package dev.toolgate.core.audit;

import dev.toolgate.core.call.RequestKeys;
import java.util.List;

class InMemoryPermitsTest extends PermitsContract {
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
    protected Permits permits() {
        return log;
    }

    @Override
    protected void sweep() {
        // Expiry takes effect when a permit is read.
        log.find(RequestKeysContract.key("r2", "a"));
    }

    @Override
    protected List<String> recorded() {
        return log.entries().stream()
                .map(entry -> inWords(
                        entry.status(),
                        entry.executedBy(),
                        String.valueOf(entry.approval().by())))
                .toList();
    }
}
