package dev.toolgate.server.gate;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.OpenPermit;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.Prospect;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.pipeline.DryRunResult;
import dev.toolgate.core.pipeline.Explanation;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.policy.Session;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.operate.log.LogScope;
import dev.toolgate.server.operate.metrics.Metrics;
import dev.toolgate.server.operate.trace.CallEvents;
import dev.toolgate.server.operate.trace.CallTracing;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Submits the requests of all doors: decides who the caller is, runs the call through the pipeline, and counts, times
 * and traces it. Independent of wire formats.
 */
public final class Gate {
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

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
        metrics.watch("toolgate.running.calls", "Calls that are running now", Map.of(), running::count);
    }

    /**
     * Submits a request to use a tool; the only way from a principal to a call. An attempt to act as an agent the
     * principal may not act as is recorded and refused.
     */
    public Submitted submit(Principal principal, CallRequest request) {
        return switch (identify(principal, request)) {
            case Identified.Known known -> {
                Call call = request.call(known.caller());
                yield new Submitted.Taken(call, execute(call, known.session(), request.traceparent()));
            }
            case Impersonation attempt -> attempt;
        };
    }

    /**
     * Identifies the caller for a door that makes calls later; each of those is identified again. An attempt to act as
     * an agent the principal may not act as is recorded.
     */
    public Identified identify(Principal principal, CallRequest request) {
        Identified.Known known = callers.of(principal, request);
        Failure why = Callers.objection(principal, known.caller().agent(), request.acting())
                .orElse(null);
        if (why == null) {
            return known;
        }
        Call attempt = request.attempt(known.caller());
        return new Impersonation(attempt, why, refuse(attempt, why));
    }

    /** Refuses and records a request for a reason that only the door knows, for example a key that has been revoked. */
    public Answer refuse(Principal principal, CallRequest request, Failure why) {
        return refuse(request.attempt(callers.of(principal, request).caller()), why);
    }

    /**
     * The answer to a caller whose calls are rejected because too many were refused; empty if they are not. For doors
     * that would look something up before they submit or refuse the call.
     *
     * @param caller of the request, as identified
     */
    public Optional<Answer> rejection(Caller caller, CallRequest request) {
        Call call = request.attempt(caller);
        try (LogScope _ = LogScope.of(call)) {
            Optional<Answer> rejection = pipeline.rejection(call);
            rejection.ifPresent(answer -> count(call, requested(call, () -> answer), 0));
            return rejection;
        }
    }

    /** What the gate would decide; nothing runs and nothing is recorded. */
    public DryRunResult dryRun(Principal principal, CallRequest request) {
        Caller caller = callers.of(principal, request).caller();
        return Callers.objection(principal, caller.agent(), request.acting())
                .map(why -> new DryRunResult(new Decision.Deny(why.code(), why.message()), null))
                .orElseGet(() -> pipeline.dryRun(request.call(caller)));
    }

    /**
     * What the gate would decide about a call of an agent, rule by rule, for a principal that may read permissions but
     * need not be allowed to act as the agent. Nothing runs, and nothing is counted, spent or recorded.
     */
    public Explanation explain(Principal reader, CallRequest request) {
        return pipeline.explain(request.call(callers.of(reader, request).caller()));
    }

    /**
     * Predicts the decisions about calls of some tools with the rules for calls; denied tools are not listed.
     *
     * @param request gives the agent and the session; its tool and arguments are ignored
     * @return in the order of the tools; all are denied to a principal that may not act as the agent
     * @throws Unavailable if the permission check is unavailable
     */
    public List<Prospect> prospects(Principal principal, CallRequest request, List<Tool<?>> tools) {
        Caller caller = callers.of(principal, request).caller();
        return Callers.objection(principal, caller.agent(), request.acting()).isPresent()
                ? Collections.nCopies(tools.size(), Prospect.DENIED)
                : pipeline.prospects(request.call(caller), tools);
    }

    /** The agent of a principal that names none: its own, or else the session's, or else the principal's name. */
    public AgentId agentIn(Principal principal, SessionId session) {
        return callers.agentIn(principal, session);
    }

    /** Resumes a held call after its approval request was answered. */
    public Answer resume(Call call, HeldQuestion answered, Approvals.Answer answer) {
        return through(call, null, () -> completed(call, () -> pipeline.resume(call, answered, answer)));
    }

    /** Records that an approved call was interrupted. */
    public Answer interrupted(Call call, HeldQuestion claimed) {
        return through(call, null, () -> completed(call, () -> pipeline.interrupted(call, claimed)));
    }

    /** Submits an approved call again for its caller, which collects the permit. */
    Answer sendAgain(Call approved) {
        return through(approved, null, () -> completed(approved, () -> pipeline.execute(approved)));
    }

    /**
     * Ends a permitted call with the outcome that its caller reports. The caller must have checked that the principal
     * may act as that agent.
     *
     * @return empty if the permit is no longer open; nothing was recorded
     */
    Optional<Answer> report(OpenPermit permit, Outcome reported, @Nullable Duration took) {
        AuditLog.Intent intent = permit.intent();
        Call call = Call.of(intent.caller(), intent.tool(), intent.parameters()).as(intent.requestId());
        try (LogScope _ = LogScope.of(call)) {
            Optional<Answer> answer = pipeline.report(permit, reported, took);
            answer.ifPresent(ended -> {
                Duration ran = took == null ? Duration.ZERO : took;
                count(call, ended, ran.toNanos());
                if (ended instanceof Answer.Ended(RequestId _, Outcome outcome)) {
                    events.completed(call, outcome, ran);
                }
            });
            return answer;
        }
    }

    /**
     * The answer for a caller that collects an ended call: its outcome, or a recorded refusal if the agent may no
     * longer use the tools.
     *
     * @param tools the canonical names of the tools called with its request id
     */
    Answer collect(Call call, Outcome outcome, Set<String> tools) {
        Optional<Failure> objection =
                outcome instanceof Outcome.Refused ? Optional.empty() : pipeline.objectionToReading(call, tools);
        return objection.map(why -> refuse(call, why)).orElseGet(() -> Answer.recorded(call.requestId(), outcome));
    }

    private Answer execute(Call call, @Nullable Session session, @Nullable String traceparent) {
        return through(call, traceparent, () -> requested(call, () -> pipeline.execute(call, session)));
    }

    private Answer through(Call call, @Nullable String traceparent, Supplier<Answer> execution) {
        Cancellation cancellation = call.cancellation();
        if (!running.begin(cancellation)) {
            return new Answer.Undecided(call.requestId(), stopping(), Answer.Undecided.State.UNRECORDED);
        }
        long started = System.nanoTime();
        try (LogScope _ = LogScope.of(call)) {
            Answer answer = tracing.trace(call, traceparent, execution);
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
            case Answer.Ended ended ->
                metrics.tool(call.caller().tenant(), call.toolName()).ended(ended.outcome(), nanos);
            case Answer.Undecided undecided ->
                metrics.tool(call.caller().tenant(), call.toolName())
                        .undecided(undecided.failure().code(), nanos);
            case Answer.Held _, Answer.Permitted _ -> {} // counted when the call ends
        }
    }

    private Answer requested(Call call, Supplier<Answer> work) {
        events.requested(call);
        return completed(call, work);
    }

    // Without the "requested" event, which a held call had when it was first submitted.
    private Answer completed(Call call, Supplier<Answer> work) {
        long started = System.nanoTime();
        Answer answer = work.get();
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        switch (answer) {
            case Answer.Ended ended -> events.completed(call, ended.outcome(), took);
            case Answer.Undecided undecided -> {
                switch (undecided.state()) {
                    case UNRECORDED, RECORDED -> events.completed(call, undecided.asOutcome(), took);
                    case RUNNING -> {} // the call has not ended
                }
            }
            case Answer.Held _, Answer.Permitted _ -> {} // the call has not ended
        }
        return answer;
    }

    /** The number of running calls. */
    public int running() {
        return running.count();
    }

    /**
     * Accepts no more calls, waits for running ones, and cancels them after the grace period.
     *
     * @return how many calls did not end even then
     */
    public int stop(Duration grace) {
        running.stop(grace, CANCEL_TIMEOUT);
        return running.count();
    }

    private static Failure stopping() {
        return Failure.of(ErrorCode.SERVICE_UNAVAILABLE, "The server is stopping, so the call was not run");
    }
}
