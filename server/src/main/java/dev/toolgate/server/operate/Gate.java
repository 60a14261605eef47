package dev.toolgate.server.operate;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.pipeline.Judgement;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.port.Approvals;
import dev.toolgate.core.port.HeldQuestion;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.operate.log.LogFields;
import dev.toolgate.server.operate.metrics.Metrics;
import dev.toolgate.server.operate.trace.CallEvents;
import dev.toolgate.server.operate.trace.CallTracing;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** What every dialect hands its calls to: the path of a call, counted, timed, traced, told of and able to stop. */
public final class Gate {
    private static final Duration LAST_MOMENT = Duration.ofSeconds(5);

    private final Pipeline pipeline;
    private final Metrics metrics;
    private final CallTracing tracing;
    private final CallEvents events;
    private final RunningCalls running = new RunningCalls();

    public Gate(Pipeline pipeline, Metrics metrics, CallTracing tracing, CallEvents events) {
        this.pipeline = pipeline;
        this.metrics = metrics;
        this.tracing = tracing;
        this.events = events;
        metrics.watch("toolgate.running.calls", "Calls that are on their way now", Map.of(), running::count);
    }

    /**
     * Takes a call through the gate.
     *
     * @param traceparent the W3C header that came with the call, if any
     */
    public Answer execute(Call call, @Nullable String traceparent) {
        return execute(call, traceparent, Errand.NONE);
    }

    /**
     * Takes a call through the gate that is part of something larger.
     *
     * @param traceparent the W3C header that came with the call, if any
     */
    public Answer execute(Call call, @Nullable String traceparent, Errand errand) {
        return through(call, traceparent, errand, () -> pipeline.execute(call));
    }

    /**
     * Takes the call of a request through the gate and answers. A caller that prefers to come back later, and whose
     * call a person must approve first, is told where the outcome will be.
     *
     * @param encode how the dialect writes what became of the call
     */
    public Response respond(Exchange exchange, Call call, Function<Answer, Response> encode) {
        return respond(exchange, call, Errand.NONE, PendingAnswer.place(call.requestId()), encode);
    }

    /**
     * The same, for a call that is part of something larger.
     *
     * @param place where the outcome of the call can be collected in the dialect's shape
     */
    public Response respond(
            Exchange exchange, Call call, Errand errand, String place, Function<Answer, Response> encode) {
        Call asked = Preferences.respondAsync(exchange) ? call.held(Call.WhenHeld.RETURN) : call;
        Answer answer = execute(asked, exchange.header("traceparent").orElse(null), errand);
        Answer.Held held = answer.held();
        return held == null ? encode.apply(answer) : PendingAnswer.held(call.requestId(), held, place);
    }

    /** Goes on with a call that was held. */
    public Answer resume(Call call, HeldQuestion answered, Approvals.Answer answer) {
        return through(call, null, Errand.NONE, () -> pipeline.resume(call, answered, answer));
    }

    /** Puts on record that a call was cut off which a person had approved. */
    public Answer interrupted(Call call, HeldQuestion claimed) {
        return through(call, null, Errand.NONE, () -> pipeline.interrupted(call, claimed));
    }

    private Answer through(Call call, @Nullable String traceparent, Errand errand, Supplier<Answer> way) {
        Cancellation cancellation = call.cancellation();
        if (!running.begin(cancellation)) {
            return new Answer(call.requestId(), new Outcome.Failed(stopping()), false);
        }
        long started = System.nanoTime();
        try (var _ = MDC.putCloseable(LogFields.REQUEST_ID, call.requestId().value());
                var _ = MDC.putCloseable(LogFields.AGENT, call.caller().agent().value())) {
            Answer answer = tracing.trace(call, traceparent, () -> told(call, errand, way));
            if (answer.held() == null) {
                metrics.tool(call.toolName()).ended(answer.outcome(), System.nanoTime() - started);
            }
            return answer;
        } finally {
            running.end(cancellation);
        }
    }

    /** Turns a call away that must not even come in; on record. */
    public Answer refuse(Call call, Failure why) {
        Answer answer = told(call, Errand.NONE, () -> pipeline.refuse(call, why));
        metrics.tool(call.toolName()).ended(answer.outcome(), 0);
        return answer;
    }

    private Answer told(Call call, Errand errand, Supplier<Answer> work) {
        long started = System.nanoTime();
        events.requested(call, errand);
        Answer answer = work.get();
        if (answer.held() == null) {
            events.completed(call, errand, answer.outcome(), Duration.ofNanos(System.nanoTime() - started));
        }
        return answer;
    }

    /**
     * Why the outcome of a call that has ended may not be read any more; empty if it may.
     *
     * @param tools what was called under its request id, by canonical names
     */
    public Optional<Failure> objectionToReading(Call call, Set<String> tools) {
        return pipeline.objectionToReading(call, tools);
    }

    /** What the gate would say to a call; nothing runs and nothing is recorded. */
    public Judgement judge(Call call) {
        return pipeline.judge(call);
    }

    /** How many calls are on their way. */
    public int running() {
        return running.count();
    }

    /**
     * Takes no more calls, waits for those on their way, and after the grace period cancels them.
     *
     * @return how many did not end even then
     */
    public int stop(Duration grace) {
        running.stop(grace, LAST_MOMENT);
        return running.count();
    }

    private static Failure stopping() {
        return Failure.of(ErrorCode.SERVICE_UNAVAILABLE, "The server is stopping, so nothing was done");
    }
}
