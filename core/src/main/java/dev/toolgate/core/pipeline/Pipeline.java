package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.audit.OpenPermit;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.Prospect;
import dev.toolgate.core.decision.Verdict;
import dev.toolgate.core.policy.Session;
import dev.toolgate.core.tool.Tool;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The single path of every call, whichever API it arrived by. */
public final class Pipeline {
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    private static final String INTERRUPTED =
            "The server stopped during the call; the tool may have done all, some or none of its work";

    private final @Nullable RepeatedCalls repeatedCalls;
    private final Admit admit;
    private final Bind bind;
    private final Decide decide;
    private final List<Stage> path;
    private final List<Stage> resumedPath;
    private final Seal seal;
    private final Clock clock;

    /**
     * @param repeatedCalls {@code null} to treat every call as new, whatever its request id
     */
    public Pipeline(
            @Nullable RepeatedCalls repeatedCalls,
            Admit admit,
            Bind bind,
            Decide decide,
            Hold hold,
            Run run,
            Seal seal,
            Clock clock) {
        this.repeatedCalls = repeatedCalls;
        this.admit = admit;
        this.bind = bind;
        this.decide = decide;
        this.path = List.of(admit, bind, decide, hold, run);
        this.resumedPath = List.of(admit::session, bind, decide, hold, run); // rate limits counted it on arrival
        this.seal = seal;
        this.clock = clock;
    }

    /** Runs a call through the stages. Never throws, whatever a call, tool or port does. */
    public Answer execute(Call call) {
        return execute(call, null);
    }

    /**
     * The same for a call whose session the gate has just read to determine its agent, so that it is not read twice.
     *
     * @param session {@code null} to read it here
     */
    public Answer execute(Call call, @Nullable Session session) {
        CallProgress progress = new CallProgress(call, clock.instant(), session);
        return rejected(progress).orElseGet(() -> take(progress, path));
    }

    /**
     * The answer to a caller whose calls are rejected because too many were refused; empty if they are not. For doors
     * that would look something up before {@link #execute} rejects the call.
     */
    public Optional<Answer> rejection(Call call) {
        return rejected(new CallProgress(call, clock.instant()));
    }

    // Only the first is recorded: recording all would let a flood fill the audit log.
    private Optional<Answer> rejected(CallProgress progress) {
        return admit.rejection(progress).map(rejection -> {
            Failure why = Admit.tooManyRefused(rejection);
            return rejection.rejectedBefore() == 0
                    ? seal.apply(progress, new Outcome.Refused(why))
                    : new Answer.Undecided(progress.call().requestId(), why, Answer.Undecided.State.UNRECORDED);
        });
    }

    /**
     * Continues a held call. Everything but the person's answer is decided again.
     *
     * @param answered its approval request
     */
    public Answer resume(Call call, HeldQuestion answered, Approvals.Answer answer) {
        CallProgress progress = new CallProgress(call, clock.instant());
        progress.resumes(answered, answer);
        return take(progress, resumedPath);
    }

    /** Records that an approved call was interrupted, unless its outcome is known. */
    public Answer interrupted(Call call, HeldQuestion claimed) {
        CallProgress progress = new CallProgress(call, clock.instant());
        progress.asked(claimed, CallDigest.key(call));
        return end(progress, () -> StageEnd.failed(ErrorCode.TOOL_EXECUTION_FAILED, INTERRUPTED));
    }

    private Answer take(CallProgress progress, List<Stage> stages) {
        return end(progress, () -> runStages(progress, stages));
    }

    private Answer end(CallProgress progress, Supplier<StageEnd> runStages) {
        Answer answer;
        try {
            answer = answer(progress, runStages);
        } finally {
            progress.keyClaim()
                    .release(); // only now, so that the next claim of the request id finds this call's outcome
        }
        Held.Asked question = progress.question();
        if (question != null) {
            question.over(answer, progress);
        }
        return answer;
    }

    private Answer answer(CallProgress progress, Supplier<StageEnd> runStages) {
        try {
            return earlierAnswer(progress, RepeatedCalls::claim).orElseGet(() -> answer(progress, runStages.get()));
        } catch (RequestKeys.Taken taken) {
            progress.keyClaim().release();
            return earlierAnswer(progress, RepeatedCalls::find)
                    .orElseGet(() -> unavailable(progress.call(), "The request id is free again; send the call again"));
        }
    }

    private Answer answer(CallProgress progress, StageEnd end) {
        return switch (end) {
            case StageEnd.Ended ended -> {
                admit.ended(progress, ended.outcome());
                yield seal.apply(progress, ended.outcome());
            }
            case StageEnd.Undecided undecided -> seal.undecided(progress, undecided);
            case StageEnd.Waiting waiting ->
                new Answer.Held(
                        progress.call().requestId(),
                        waiting.question().id(),
                        waiting.question().expiresAt(),
                        waiting.reason());
            case StageEnd.Permitted permitted ->
                new Answer.Permitted(progress.call().requestId(), permitted.until(), permitted.arguments());
        };
    }

    /**
     * Refuses and records a call before the stages, for example one made under an agent name the principal may not use.
     */
    public Answer refuse(Call call, Failure why) {
        CallProgress progress = new CallProgress(call, clock.instant());
        return rejected(progress).orElseGet(() -> {
            Outcome refused = new Outcome.Refused(why);
            admit.ended(progress, refused);
            return seal.apply(progress, refused);
        });
    }

    /** What the gate would decide about a call. Nothing is run, counted or recorded. */
    public DryRunResult dryRun(Call call) {
        CallProgress progress = new CallProgress(call, clock.instant());
        Optional<StageEnd> end =
                admit.session(progress).or(() -> bind.apply(progress)).or(() -> decide.apply(progress));
        return end.map(reached -> result(progress, reached))
                .orElseGet(() -> new DryRunResult(progress.decision(), null));
    }

    /** What the gate would decide about a call, rule by rule. Nothing is run, counted, spent or recorded. */
    public Explanation explain(Call call) {
        CallProgress progress = new CallProgress(call, clock.instant());
        Optional<StageEnd> notAdmitted = admit.session(progress);
        if (notAdmitted.isPresent()) {
            Decision refused = result(progress, notAdmitted.get()).decision();
            return new Explanation(refused, List.of(new Verdict("admission", refused)), null);
        }
        Optional<StageEnd> _ = bind.apply(progress);
        return decide.explain(progress);
    }

    /**
     * What may be decided about calls of these tools, whatever their arguments; used to list the tools of a caller by
     * the same rules that decide its calls. Nothing is counted or recorded.
     *
     * @param caller identifies the caller and its session; its tool and arguments are ignored
     * @return in the order of the tools; all are denied if the session does not admit the caller
     * @throws Unavailable if a dependency cannot be reached now
     */
    public List<Prospect> prospects(Call caller, List<Tool<?>> tools) {
        CallProgress progress = new CallProgress(caller, clock.instant());
        if (admit.session(progress).isPresent()) {
            return Collections.nCopies(tools.size(), Prospect.DENIED);
        }
        return tools.stream()
                .map(tool -> decide.prospect(progress.call(), tool.spec(), progress.session()))
                .toList();
    }

    private static DryRunResult result(CallProgress progress, StageEnd end) {
        return switch (end) {
            case StageEnd.Ended(Outcome.Refused(Failure why)) -> denied(why);
            case StageEnd.Ended(Outcome.Failed(Failure why)) -> new DryRunResult(progress.decision(), why);
            case StageEnd.Ended(Outcome.Completed completed) ->
                throw new IllegalStateException("Nothing runs before 'run'.");
            case StageEnd.Undecided undecided -> denied(undecided.failure());
            case StageEnd.Waiting waiting -> throw new IllegalStateException("No approval is requested before 'hold'.");
            case StageEnd.Permitted permitted -> throw new IllegalStateException("Nothing is permitted before 'run'.");
        };
    }

    private static DryRunResult denied(Failure why) {
        return new DryRunResult(new Decision.Deny(why.code(), why.message()), null);
    }

    /** A lookup of an earlier call. */
    private interface EarlierLookup {
        Optional<Answer> at(RepeatedCalls repeatedCalls, CallProgress progress) throws InterruptedException;
    }

    private Optional<Answer> earlierAnswer(CallProgress progress, EarlierLookup lookup) {
        if (repeatedCalls == null) {
            return Optional.empty();
        }
        try {
            return lookup.at(repeatedCalls, progress).map(answer -> readable(progress.call(), answer));
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            return Optional.of(unavailable(progress.call(), "The wait for the first call was interrupted"));
        } catch (Unavailable unreachable) {
            LOG.warn("Request id {} could not be looked up: {}", progress.call().requestId(), unreachable.getMessage());
            return Optional.of(unavailable(
                    progress.call(),
                    "The check for an earlier call under this request id is unavailable; nothing was done"));
        }
    }

    // A repeated outcome or permit is given only to callers that may use the tool now; a refusal reveals nothing.
    private Answer readable(Call call, Answer again) {
        return switch (again) {
            case Answer.Ended(RequestId _, Outcome.Refused _) -> again;
            case Answer.Ended ended -> readable(call, _ -> ended);
            case Answer.Permitted permitted ->
                readable(
                        call,
                        bound -> new Answer.Permitted(
                                permitted.requestId(), permitted.expiresAt(), Run.argumentsOfPermit(bound)));
            case Answer.Held held -> held;
            case Answer.Undecided undecided -> undecided;
        };
    }

    private Answer readable(Call call, Function<CallProgress, Answer> again) {
        CallProgress progress = new CallProgress(call, clock.instant());
        Optional<StageEnd> _ = bind.apply(progress); // to get the canonical tool name
        return objectionToReading(call, Set.of(progress.toolName()))
                .map(why -> seal.apply(progress, new Outcome.Refused(why)))
                .orElseGet(() -> again.apply(progress));
    }

    /**
     * Ends a permitted call with the outcome that its caller reports. Only one report of a permit counts.
     *
     * @param took how long the tool ran, as reported by its caller
     * @return empty if an outcome was already reported or the permit has expired; nothing was recorded then
     */
    public Optional<Answer> report(OpenPermit permit, Outcome reported, @Nullable Duration took) {
        return seal.report(permit, reported, took == null ? permit.openFor(clock.instant()) : took);
    }

    /**
     * Why the outcome of an ended call may no longer be read; empty if it may.
     *
     * @param tools the canonical names of the tools called under its request id
     */
    public Optional<Failure> objectionToReading(Call call, Set<String> tools) {
        return repeatedCalls == null ? Optional.empty() : repeatedCalls.objection(call, tools);
    }

    private static Answer unavailable(Call call, String message) {
        return new Answer.Undecided(
                call.requestId(),
                Failure.of(ErrorCode.SERVICE_UNAVAILABLE, message),
                Answer.Undecided.State.UNRECORDED);
    }

    private StageEnd runStages(CallProgress progress, List<Stage> stages) {
        try {
            for (Stage stage : stages) {
                Optional<StageEnd> end = stage.apply(progress);
                if (end.isPresent()) {
                    return end.get();
                }
            }
            throw new IllegalStateException("The last stage ends every call.");
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            return StageEnd.failed(ErrorCode.TOOL_EXECUTION_FAILED, "The call was cancelled");
        } catch (RequestKeys.Taken taken) {
            throw taken;
        } catch (Unavailable unreachable) {
            LOG.warn("Call {}: dependency unavailable: {}", progress.call().requestId(), unreachable.getMessage());
            String why = "A dependency needed to check and record the call is unavailable";
            return progress.hasStarted()
                    ? StageEnd.failed(ErrorCode.SERVICE_UNAVAILABLE, why)
                    : StageEnd.unavailable(why + "; nothing was done");
        } catch (RuntimeException unexpected) {
            LOG.error("Call {} failed unexpectedly", progress.call().requestId(), unexpected);
            return StageEnd.failed(ErrorCode.INTERNAL_ERROR, "The call could not be carried out");
        }
    }
}
