package dev.toolgate.server.gate;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.pipeline.Judgement;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.server.operate.log.LogScope;
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
        return through(call, traceparent, () -> requested(call, () -> pipeline.execute(call)));
    }

    /**
     * Takes the call of a request through the gate and answers. A caller that prefers to come back later, and whose
     * call a person must approve first, is told where the outcome will be.
     *
     * @param encode how the dialect writes what became of the call
     */
    public Response respond(Exchange exchange, Call call, Function<Answer, Response> encode) {
        return respond(exchange, call, PendingAnswer.place(call.requestId()), encode);
    }

    /**
     * The same, for a dialect that has a place of its own where outcomes are collected.
     *
     * @param place where the outcome of the call can be collected in the dialect's shape
     */
    public Response respond(Exchange exchange, Call call, String place, Function<Answer, Response> encode) {
        Call from = from(exchange, call);
        Call asked = Preferences.respondAsync(exchange) ? from.held(Call.WhenHeld.RETURN) : from;
        Answer answer = execute(asked, exchange.header("traceparent").orElse(null));
        Answer.Held held = answer.held();
        return held == null ? encode.apply(answer) : PendingAnswer.held(call.requestId(), held, place);
    }

    /** Goes on with a call that was held. */
    public Answer resume(Call call, HeldQuestion answered, Approvals.Answer answer) {
        return through(call, null, () -> completed(call, () -> pipeline.resume(call, answered, answer)));
    }

    /** Puts on record that a call was cut off which a person had approved. */
    public Answer interrupted(Call call, HeldQuestion claimed) {
        return through(call, null, () -> completed(call, () -> pipeline.interrupted(call, claimed)));
    }

    private Answer through(Call call, @Nullable String traceparent, Supplier<Answer> way) {
        Cancellation cancellation = call.cancellation();
        if (!running.begin(cancellation)) {
            return new Answer(call.requestId(), new Outcome.Failed(stopping()), false);
        }
        long started = System.nanoTime();
        try (LogScope _ = LogScope.of(call)) {
            Answer answer = tracing.trace(call, traceparent, way);
            if (answer.held() == null) {
                metrics.tool(call.toolName()).ended(answer.outcome(), System.nanoTime() - started);
            }
            return answer;
        } finally {
            running.end(cancellation);
        }
    }

    /** Turns the call of a request away that must not even come in; on record. */
    public Answer refuse(Exchange exchange, Call call, Failure why) {
        return refuse(from(exchange, call), why);
    }

    /** Turns a call away that must not even come in; on record. */
    public Answer refuse(Call call, Failure why) {
        try (LogScope _ = LogScope.of(call)) {
            Answer answer = requested(call, () -> pipeline.refuse(call, why));
            metrics.tool(call.toolName()).ended(answer.outcome(), 0);
            return answer;
        }
    }

    /** The call, known by the id of the request it came with. */
    private static Call from(Exchange exchange, Call call) {
        return call.from(call.context().correlatedBy(exchange.correlationId()));
    }

    private Answer requested(Call call, Supplier<Answer> work) {
        events.requested(call);
        return completed(call, work);
    }

    // A call that was held before was told of when it came.
    private Answer completed(Call call, Supplier<Answer> work) {
        long started = System.nanoTime();
        Answer answer = work.get();
        if (!goesOn(answer)) {
            events.completed(call, answer.outcome(), Duration.ofNanos(System.nanoTime() - started));
        }
        return answer;
    }

    /** Whether the call is not over although its caller has an answer. */
    private static boolean goesOn(Answer answer) {
        return answer.held() != null
                || (answer.outcome() instanceof Outcome.Refused refused
                        && refused.failure().code() == ErrorCode.REQUEST_RUNNING);
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
