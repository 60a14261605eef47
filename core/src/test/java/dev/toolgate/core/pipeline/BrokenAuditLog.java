package dev.toolgate.core.pipeline;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.RequestKey;
import org.jspecify.annotations.Nullable;

/** An audit log that always fails. */
final class BrokenAuditLog implements AuditLog {
    @Override
    public void intend(Intent intent, @Nullable RequestKey key) {
        throw new IllegalStateException("disk full");
    }

    @Override
    public void permit(Permit permit) {
        throw new IllegalStateException("disk full");
    }

    @Override
    public void record(@Nullable Entry entry, @Nullable KeptAnswer answer) {
        throw new IllegalStateException("disk full");
    }
}
