package dev.toolgate.server;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.pipeline.Judgement;
import dev.toolgate.core.pipeline.Pipeline;
import org.jspecify.annotations.Nullable;

/** The core path as the dialects see it. */
public final class Gate {
    private final Pipeline pipeline;

    public Gate(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Takes a call through. */
    public Answer execute(Call call, @Nullable String traceparent) {
        return pipeline.execute(call);
    }

    /** Turns a call away, on record. */
    public Answer refuse(Call call, Failure why) {
        return pipeline.refuse(call, why);
    }

    /** What would be said to a call. */
    public Judgement judge(Call call) {
        return pipeline.judge(call);
    }
}
