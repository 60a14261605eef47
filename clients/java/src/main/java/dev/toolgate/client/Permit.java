package dev.toolgate.client;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A permit to run a tool once, with exactly {@link #parameters()}, and to report its outcome. Only the first report
 * takes effect. A permit that is closed without one is reported as failed; one that is never closed is recorded as
 * interrupted
 * when it expires.
 */
public final class Permit implements AutoCloseable {
    private enum State {
        OPEN,
        RUNNING,
        REPORTED
    }

    private final Calls calls;
    private final String requestId;
    private final String agent;
    private final Map<String, Object> parameters;
    private final Instant expiresAt;
    private final long start;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    private Permit(Calls calls, String requestId, String agent, Map<String, Object> parameters, Instant expiresAt) {
        this.calls = calls;
        this.requestId = requestId;
        this.agent = agent;
        this.parameters = Collections.unmodifiableMap(parameters);
        this.expiresAt = expiresAt;
        this.start = calls.nanos();
    }

    /**
     * Accepts only a response for this request id. A collected approved call has no parameters, so those sent are used.
     */
    static Permit from(Calls calls, Outcome.Pending open, String id, String agent, Map<String, Object> sent) {
        JsonNode answer = open.answer();
        Instant expiresAt = Json.time(answer.path("permit_expires_at"));
        if (expiresAt == null || !open.requestId().equals(id)) {
            throw new ToolgateException(
                    Reply.UNEXPECTED,
                    "The gate's answer is not a permit for call '" + id + "'; the tool must not run.",
                    "Use a client of the same version as the gate.",
                    false,
                    open.correlationId());
        }
        JsonNode parameters = answer.path("parameters");
        return new Permit(calls, id, agent, parameters.isObject() ? Json.object(parameters) : sent, expiresAt);
    }

    /** The id of the call. */
    public String requestId() {
        return requestId;
    }

    /** The arguments to run the tool with. */
    public Map<String, Object> parameters() {
        return parameters;
    }

    /** Until when the outcome must be reported, by the gate's clock. */
    public Instant expiresAt() {
        return expiresAt;
    }

    /**
     * Runs the tool and reports that it succeeded with what it returned, or failed with what it threw.
     *
     * @return what the tool returned
     * @throws Exception what the tool threw
     * @throws IllegalStateException if the permit was used before
     * @throws ToolgateException if the tool ran and its outcome could not be reported
     */
    public <T extends @Nullable Object> T run(Callable<T> tool) throws Exception {
        if (!state.compareAndSet(State.OPEN, State.RUNNING)) {
            throw new IllegalStateException("A permit is for one run; ask for another one.");
        }
        long began = calls.nanos();
        T output;
        try {
            output = tool.call();
        } catch (Throwable failure) {
            try {
                report("failed", null, failure.toString(), began);
            } catch (ToolgateException unreported) {
                failure.addSuppressed(unreported);
            }
            throw failure;
        }
        report("succeeded", output, null, began);
        return output;
    }

    /** Reports that the tool did its work, with what it returned: text, or anything that can be written as JSON. */
    public Outcome succeeded(@Nullable Object output) {
        return report("succeeded", output, null, start);
    }

    /** Reports that the tool failed. */
    public Outcome failed(String error) {
        return report("failed", null, error, start);
    }

    /** Reports that the tool failed, unless an outcome has been reported. */
    @Override
    public void close() {
        if (state.get() == State.OPEN) {
            failed("The program closed its permit without reporting an outcome.");
        }
    }

    private Outcome report(String status, @Nullable Object output, @Nullable String error, long since) {
        Json.Body body = new Json.Body()
                .put("status", status)
                .put("output", output == null ? null : Json.valueOrText(output))
                .put("error", error)
                .put("execution_time_ms", TimeUnit.NANOSECONDS.toMillis(calls.nanos() - since));
        state.set(State.REPORTED);
        return calls.report(requestId, agent, body.fields());
    }
}
