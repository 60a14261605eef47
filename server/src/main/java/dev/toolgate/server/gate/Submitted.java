package dev.toolgate.server.gate;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.pipeline.Answer;

/** What became of a request to make a call. */
public sealed interface Submitted permits Submitted.Taken, Impersonation {

    /** The call on which there is an answer. */
    Call call();

    /** What the gate answers. */
    Answer answer();

    /** The principal may act as the agent, and its call was taken through the gate. */
    record Taken(Call call, Answer answer) implements Submitted {}
}
