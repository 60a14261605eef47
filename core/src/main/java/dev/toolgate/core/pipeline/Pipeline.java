package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Decision;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one path of every call, whichever door it came in by. */
public final class Pipeline {
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    private static final String INTERRUPTED =
            "The server that had begun with the call stopped; the tool may have done its work, a part of it or nothing";

    private final @Nullable Repeats repeats;
    private final Admit admit;
    private final Bind bind;
    private final Decide decide;
    private final List<Stage> path;
    private final List<Stage> pathOfResumed;
    private final Seal seal;
    private final Clock clock;

    /**
     * @param repeats {@code null} where every call is a new one, whatever its request id
     */
    public Pipeline(
            @Nullable Repeats repeats,
            Admit admit,
            Bind bind,
            Decide decide,
            Hold hold,
            Run run,
            Seal seal,
            Clock clock) {
        this.repeats = repeats;
        this.admit = admit;
        this.bind = bind;
        this.decide = decide;
        this.path = List.of(admit, bind, decide, hold, run);
        this.pathOfResumed = List.of(admit::session, bind, decide, hold, run); // it was counted when it came
        this.seal = seal;
        this.clock = clock;
    }

    /** Takes a call through the gate. Never throws for anything a call, a tool or a port does. */
    public Answer execute(Call call) {
        Passage passage = new Passage(call, clock.instant());
        return turnedAway(passage).orElseGet(() -> take(passage, path));
    }

    // On record is the first of them: the rest would fill it with nothing new, which is what a flood wants.
    private Optional<Answer> turnedAway(Passage passage) {
        return admit.turnedAway(passage).map(turnedAway -> {
            Failure why = Admit.tooManyRefused(turnedAway);
            return turnedAway.before() == 0
                    ? seal.apply(passage, new Outcome.Refused(why))
                    : new Answer.Undecided(passage.call().requestId(), why, Answer.Undecided.State.UNRECORDED);
        });
    }

    /**
     * Goes on with a call that was held, with everything decided anew but the answer that a person gave.
     *
     * @param answered the question it was held by
     */
    public Answer resume(Call call, HeldQuestion answered, Approvals.Answer answer) {
        Passage passage = new Passage(call, clock.instant());
        passage.resumes(answered, answer);
        return take(passage, pathOfResumed);
    }

    /** Puts on record that a call which had a person's yes was interrupted, unless it is known how it ended. */
    public Answer interrupted(Call call, HeldQuestion claimed) {
        Passage passage = new Passage(call, clock.instant());
        passage.asked(claimed, CallDigest.key(call));
        return end(passage, () -> StageEnd.failed(ErrorCode.TOOL_EXECUTION_FAILED, INTERRUPTED));
    }

    private Answer take(Passage passage, List<Stage> stages) {
        return end(passage, () -> walk(passage, stages));
    }

    private Answer end(Passage passage, Supplier<StageEnd> walk) {
        Answer answer;
        try {
            answer = answer(passage, walk);
        } finally {
            passage.keyClaim().release(); // only now: whoever claims the request id next finds what became of this call
        }
        Held.Asked question = passage.question();
        if (question != null) {
            question.over(answer, passage);
        }
        return answer;
    }

    private Answer answer(Passage passage, Supplier<StageEnd> walk) {
        try {
            return earlier(passage, Repeats::claim).orElseGet(() -> answer(passage, walk.get()));
        } catch (RequestKeys.Taken meanwhile) {
            passage.keyClaim().release();
            return earlier(passage, Repeats::find).orElseGet(() -> unavailable(passage.call(), "Send it again"));
        }
    }

    private Answer answer(Passage passage, StageEnd end) {
        return switch (end) {
            case StageEnd.Over over -> {
                admit.ended(passage, over.outcome());
                yield seal.apply(passage, over.outcome());
            }
            case StageEnd.Undecided undecided -> seal.undecided(passage, undecided);
            case StageEnd.Waiting waiting ->
                new Answer.Held(
                        passage.call().requestId(),
                        waiting.question().id(),
                        waiting.question().expiresAt(),
                        waiting.reason());
        };
    }

    /** Turns a call away that must not even come in, for example under a name its caller has no right to; on record. */
    public Answer refuse(Call call, Failure why) {
        Passage passage = new Passage(call, clock.instant());
        return turnedAway(passage).orElseGet(() -> {
            Outcome refused = new Outcome.Refused(why);
            admit.ended(passage, refused);
            return seal.apply(passage, refused);
        });
    }

    /** What the gate would say to a call. Nothing runs, nothing is counted and nothing is recorded. */
    public Judgement judge(Call call) {
        Passage passage = new Passage(call, clock.instant());
        Optional<StageEnd> end =
                admit.session(passage).or(() -> bind.apply(passage)).or(() -> decide.apply(passage));
        return end.map(Pipeline::judgement).orElseGet(() -> new Judgement(passage.decision(), null));
    }

    private static Judgement judgement(StageEnd end) {
        return switch (end) {
            case StageEnd.Over(Outcome.Refused(Failure why)) -> denied(why);
            case StageEnd.Over(Outcome.Failed(Failure why)) -> new Judgement(Decision.allow(), why);
            case StageEnd.Over(Outcome.Completed completed) ->
                throw new IllegalStateException("Nothing runs before 'run'.");
            case StageEnd.Undecided undecided -> denied(undecided.failure());
            case StageEnd.Waiting waiting -> throw new IllegalStateException("Nobody is asked before 'hold'.");
        };
    }

    private static Judgement denied(Failure why) {
        return new Judgement(new Decision.Deny(why.code(), why.message()), null);
    }

    /** A way to find out about an earlier call. */
    private interface Look {
        Optional<Answer> at(Repeats repeats, Passage passage) throws InterruptedException;
    }

    private Optional<Answer> earlier(Passage passage, Look look) {
        if (repeats == null) {
            return Optional.empty();
        }
        try {
            return look.at(repeats, passage).map(answer -> readable(passage.call(), answer));
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            return Optional.of(unavailable(passage.call(), "The wait for the first call was cut short"));
        } catch (Unavailable unreachable) {
            LOG.warn("Request id {} could not be looked up: {}", passage.call().requestId(), unreachable.getMessage());
            return Optional.of(unavailable(
                    passage.call(),
                    "The check for an earlier call under this request id is unavailable; nothing was done"));
        }
    }

    // An outcome that is given again is read by those who may use the tool now; a refusal tells nothing of it.
    private Answer readable(Call call, Answer again) {
        return switch (again) {
            case Answer.Ended(RequestId _, Outcome.Refused _) -> again;
            case Answer.Ended ended -> readable(call, ended);
            case Answer.Held held -> held;
            case Answer.Undecided undecided -> undecided;
        };
    }

    private Answer readable(Call call, Answer.Ended again) {
        Passage passage = new Passage(call, clock.instant());
        Optional<StageEnd> _ = bind.apply(passage); // for the tool's canonical name
        return objectionToReading(call, Set.of(passage.toolName()))
                .map(why -> seal.apply(passage, new Outcome.Refused(why)))
                .orElse(again);
    }

    /**
     * Why the outcome of a call that has ended may not be read any more; empty if it may.
     *
     * @param tools what was called under its request id, by canonical names
     */
    public Optional<Failure> objectionToReading(Call call, Set<String> tools) {
        return repeats == null ? Optional.empty() : repeats.objection(call, tools);
    }

    private static Answer unavailable(Call call, String message) {
        return new Answer.Undecided(
                call.requestId(),
                Failure.of(ErrorCode.SERVICE_UNAVAILABLE, message),
                Answer.Undecided.State.UNRECORDED);
    }

    private StageEnd walk(Passage passage, List<Stage> stages) {
        try {
            for (Stage stage : stages) {
                Optional<StageEnd> end = stage.apply(passage);
                if (end.isPresent()) {
                    return end.get();
                }
            }
            throw new IllegalStateException("The last stage ends every call.");
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            return StageEnd.failed(ErrorCode.TOOL_EXECUTION_FAILED, "The call was cancelled");
        } catch (RequestKeys.Taken meanwhile) {
            throw meanwhile;
        } catch (Unavailable unreachable) {
            LOG.warn("Call {}: dependency unavailable: {}", passage.call().requestId(), unreachable.getMessage());
            String why = "What the call needs to be checked and recorded is unavailable";
            return passage.hasStarted()
                    ? StageEnd.failed(ErrorCode.SERVICE_UNAVAILABLE, why)
                    : StageEnd.unavailable(why + "; nothing was done");
        } catch (RuntimeException unexpected) {
            LOG.error("Call {} failed unexpectedly", passage.call().requestId(), unexpected);
            return StageEnd.failed(ErrorCode.INTERNAL_ERROR, "The call could not be carried out");
        }
    }
}
