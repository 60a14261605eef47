package dev.toolgate.server.operate.log;

import dev.toolgate.core.call.Call;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** While it is open, every line that this thread logs carries the ids of a call; afterwards those from before. */
public final class LogScope implements AutoCloseable {
    private final Map<String, @Nullable String> former = new HashMap<>();

    private LogScope() {}

    public static LogScope of(Call call) {
        LogScope scope = new LogScope();
        scope.put(LogFields.REQUEST_ID, call.requestId().value());
        scope.put(LogFields.AGENT, call.caller().agent().value());
        scope.put(LogFields.CORRELATION_ID, call.context().correlationId());
        return scope;
    }

    private void put(String name, @Nullable String value) {
        if (value != null) {
            former.put(name, MDC.get(name));
            MDC.put(name, value);
        }
    }

    @Override
    public void close() {
        former.forEach((name, value) -> {
            if (value == null) {
                MDC.remove(name);
            } else {
                MDC.put(name, value);
            }
        });
    }
}
