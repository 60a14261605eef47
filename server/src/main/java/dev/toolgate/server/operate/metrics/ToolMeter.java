package dev.toolgate.server.operate.metrics;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts and times the calls of one tool. */
public final class ToolMeter {
    private static final int SERVER_ERRORS = 500;

    private final PrometheusMeterRegistry registry;
    private final String tool;
    private final Timer timer;
    private final Map<ErrorCode, Counter> failed = new ConcurrentHashMap<>();
    private final Map<ErrorCode, Counter> refused = new ConcurrentHashMap<>();
    private final Counter completed;

    ToolMeter(PrometheusMeterRegistry registry, String tool) {
        this.registry = registry;
        this.tool = tool;
        this.timer = Metrics.timer(registry, "toolgate.call", "How long calls take in the gate", Tags.of("tool", tool));
        this.completed = counter("completed", "");
    }

    /** Records the end of a call. */
    public void ended(Outcome outcome, long nanos) {
        timer.record(nanos, TimeUnit.NANOSECONDS);
        Counter counter =
                switch (outcome) {
                    case Outcome.Completed fine -> completed;
                    case Outcome.Failed end ->
                        counter(failed, "failed", end.failure().code());
                    case Outcome.Refused end ->
                        counter(refused, "refused", end.failure().code());
                };
        counter.increment();
    }

    /** Records an undecided call: as failed if the server is the reason, otherwise as refused. */
    public void undecided(ErrorCode why, long nanos) {
        timer.record(nanos, TimeUnit.NANOSECONDS);
        Counter counter =
                why.httpStatus() < SERVER_ERRORS ? counter(refused, "refused", why) : counter(failed, "failed", why);
        counter.increment();
    }

    private Counter counter(Map<ErrorCode, Counter> known, String status, ErrorCode code) {
        Counter counter = known.get(code);
        return counter != null ? counter : known.computeIfAbsent(code, _ -> counter(status, code.name()));
    }

    private Counter counter(String status, String code) {
        return Counter.builder("toolgate.calls")
                .description("Calls by outcome")
                .tags("tool", tool, "status", status, "error_code", code)
                .register(registry);
    }
}
