package dev.toolgate.server.operate.log;

import dev.toolgate.core.call.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Adds the ids of a call to the log lines of this thread; closing restores the former ones. */
public final class LogScope implements AutoCloseable {
    private static final int FIELDS = 3;

    private final List<Former> changed = new ArrayList<>(FIELDS);

    /** The value of a field before it was changed. */
    private record Former(String name, @Nullable String value) {}

    private LogScope() {}

    public static LogScope of(Call call) {
        LogScope scope = new LogScope();
        scope.put(LogFields.REQUEST_ID, call.requestId().value());
        scope.put(LogFields.AGENT, call.caller().agent().value());
        scope.put(LogFields.CORRELATION_ID, call.context().correlationId());
        return scope;
    }

    // The correlation id of an HTTP request is already set.
    private void put(String name, @Nullable String value) {
        String before = MDC.get(name);
        if (value != null && !value.equals(before)) {
            changed.add(new Former(name, before));
            MDC.put(name, value);
        }
    }

    @Override
    public void close() {
        for (Former former : changed) {
            if (former.value() == null) {
                MDC.remove(former.name());
            } else {
                MDC.put(former.name(), former.value());
            }
        }
    }
}
