package dev.toolgate.server.gate;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.pipeline.Judgement;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.server.operate.log.LogScope;
import dev.toolgate.server.operate.metrics.Metrics;
import dev.toolgate.server.operate.trace.CallEvents;
import dev.toolgate.server.operate.trace.CallTracing;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What every door hands its requests to: it decides who makes a call, takes the call through the pipeline, and counts, times
 * and traces it. Knows no wire format.
 */
public final class Gate {
    private static final Duration AFTER_CANCELLING = Duration.ofSeconds(5);

    private final Callers callers;
    private final Pipeline pipeline;
    private final Metrics metrics;
    private final CallTracing tracing;
    private final CallEvents events;
    private final RunningCalls running = new RunningCalls();

    public Gate(Callers callers, Pipeline pipeline, Metrics metrics, CallTracing tracing, CallEvents events) {
        this.callers = callers;
        this.pipeline = pipeline;
        this.metrics = metrics;
        this.tracing = tracing;
        this.events = events;
        metrics.watch("toolgate.running.calls", "Calls that are on their way now", Map.of(), running::count);
    }

    /**
     * Takes a request to use a tool through the gate: the only way from a principal to a call. An attempt to act as an
     * agent that is not the principal's goes on record and no further.
     */
    public Submitted submit(Principal principal, CallRequest request) {
        return switch (identify(principal, request)) {
            case Identified.Known known -> {
                Call call = request.call(known.caller());
                yield new Submitted.Taken(call, execute(call, request.traceparent()));
            }
            case Impersonation attempt -> attempt;
        };
    }

    /**
     * Whom a principal acts as, for a door that has calls to make later; every one of them is identified again. An attempt
     * to act as an agent that is not the principal's goes on record.
     */
    public Identified identify(Principal principal, CallRequest request) {
        Caller caller = callers.of(principal, request);
        Failure why =
                Callers.objection(principal, caller.agent(), request.acting()).orElse(null);
        if (why == null) {
            return new Identified.Known(caller);
        }
        Call attempt = request.attempt(caller);
        return new Impersonation(attempt, why, refuse(attempt, why));
    }

    /** Refuses a request for a reason that its door knows, for example that the key was revoked meanwhile; on record. */
    public Answer refuse(Principal principal, CallRequest request, Failure why) {
        return refuse(request.attempt(callers.of(principal, request)), why);
    }

    /** What the gate would say to a request; nothing runs and nothing is recorded. */
    public Judgement judge(Principal principal, CallRequest request) {
        Caller caller = callers.of(principal, request);
        return Callers.objection(principal, caller.agent(), request.acting())
                .map(why -> new Judgement(new Decision.Deny(why.code(), why.message()), null))
                .orElseGet(() -> pipeline.judge(request.call(caller)));
    }

    /** The agent of a principal that names none: its own, or else the session's, or else the principal's name. */
    public AgentId agentIn(Principal principal, SessionId session) {
        return callers.agentIn(principal, session);
    }

    /** Goes on with a call that was held. */
    public Answer resume(Call call, HeldQuestion answered, Approvals.Answer answer) {
        return through(call, null, () -> completed(call, () -> pipeline.resume(call, answered, answer)));
    }

    /** Puts on record that a call was interrupted which a person had approved. */
    public Answer interrupted(Call call, HeldQuestion claimed) {
        return through(call, null, () -> completed(call, () -> pipeline.interrupted(call, claimed)));
    }

    /**
     * The answer to whoever comes back for a call that has ended: its outcome, or a refusal on record if the agent is no
     * longer permitted to use the tools.
     *
     * @param tools what was called under its request id, by canonical names
     */
    Answer collect(Call call, Outcome outcome, Set<String> tools) {
        Optional<Failure> objection =
                outcome instanceof Outcome.Refused ? Optional.empty() : pipeline.objectionToReading(call, tools);
        return objection.map(why -> refuse(call, why)).orElseGet(() -> Answer.recorded(call.requestId(), outcome));
    }

    private Answer execute(Call call, @Nullable String traceparent) {
        return through(call, traceparent, () -> requested(call, () -> pipeline.execute(call)));
    }

    private Answer through(Call call, @Nullable String traceparent, Supplier<Answer> way) {
        Cancellation cancellation = call.cancellation();
        if (!running.begin(cancellation)) {
            return new Answer.Undecided(call.requestId(), stopping(), Answer.Undecided.State.UNRECORDED);
        }
        long started = System.nanoTime();
        try (LogScope _ = LogScope.of(call)) {
            Answer answer = tracing.trace(call, traceparent, way);
            count(call, answer, System.nanoTime() - started);
            return answer;
        } finally {
            running.end(cancellation);
        }
    }

    private Answer refuse(Call call, Failure why) {
        try (LogScope _ = LogScope.of(call)) {
            Answer answer = requested(call, () -> pipeline.refuse(call, why));
            count(call, answer, 0);
            return answer;
        }
    }

    private void count(Call call, Answer answer, long nanos) {
        switch (answer) {
            case Answer.Ended ended -> metrics.tool(call.toolName()).ended(ended.outcome(), nanos);
            case Answer.Undecided undecided ->
                metrics.tool(call.toolName()).undecided(undecided.failure().code(), nanos);
            case Answer.Held held -> {} // counted when it ends
        }
    }

    private Answer requested(Call call, Supplier<Answer> work) {
        events.requested(call);
        return completed(call, work);
    }

    // Without the event of a request, which a call that was held had when it came.
    private Answer completed(Call call, Supplier<Answer> work) {
        long started = System.nanoTime();
        Answer answer = work.get();
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        switch (answer) {
            case Answer.Ended ended -> events.completed(call, ended.outcome(), took);
            case Answer.Undecided undecided -> {
                switch (undecided.state()) {
                    case UNRECORDED, RECORDED -> events.completed(call, undecided.asOutcome(), took);
                    case RUNNING -> {} // it has not ended
                }
            }
            case Answer.Held held -> {} // it has not ended
        }
        return answer;
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
        running.stop(grace, AFTER_CANCELLING);
        return running.count();
    }

    private static Failure stopping() {
        return Failure.of(ErrorCode.SERVICE_UNAVAILABLE, "The server is stopping; nothing was done");
    }
}
