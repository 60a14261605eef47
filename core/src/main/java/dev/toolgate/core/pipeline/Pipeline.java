package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one path of every call, whichever door it came in by. */
public final class Pipeline {
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    private final List<Stage> path;
    private final Seal seal;
    private final Clock clock;

    public Pipeline(Admit admit, Bind bind, Decide decide, Hold hold, Run run, Seal seal, Clock clock) {
        this.path = List.of(admit, bind, decide, hold, run);
        this.seal = seal;
        this.clock = clock;
    }

    /** Takes a call through the gate. Never throws for anything a call, a tool or a port does. */
    public Answer execute(Call call) {
        Passage passage = new Passage(call, clock.instant());
        return seal.apply(passage, walk(passage));
    }

    private Outcome walk(Passage passage) {
        try {
            for (Stage stage : path) {
                Optional<Outcome> end = stage.apply(passage);
                if (end.isPresent()) {
                    return end.get();
                }
            }
            throw new IllegalStateException("The last stage ends every call.");
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            return failed(ErrorCode.TOOL_EXECUTION_FAILED, "The call was cancelled");
        } catch (RuntimeException unexpected) {
            LOG.error("Call {} broke", passage.call().requestId(), unexpected);
            return failed(ErrorCode.INTERNAL_ERROR, "The call could not be carried out");
        }
    }

    private static Outcome failed(ErrorCode code, String message) {
        return new Outcome.Failed(Failure.of(code, message));
    }
}
