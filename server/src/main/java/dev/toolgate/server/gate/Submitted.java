package dev.toolgate.server.gate;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.pipeline.Answer;

/** The result of submitting a call. */
public sealed interface Submitted permits Submitted.Taken, Impersonation {

    /** The submitted call. */
    Call call();

    /** The gate's answer. */
    Answer answer();

    /** The principal may act as the agent, and the call was run through the pipeline. */
    record Taken(Call call, Answer answer) implements Submitted {}
}
