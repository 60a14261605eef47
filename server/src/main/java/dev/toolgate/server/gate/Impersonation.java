package dev.toolgate.server.gate;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.pipeline.Answer;

/**
 * The refused attempt of a principal to act as an agent it may not act as. Nothing was run.
 *
 * @param call the attempt, under a request id of its own
 * @param why the reason, as recorded and returned to the caller
 * @param answer whether the attempt was recorded
 */
public record Impersonation(Call call, Failure why, Answer answer) implements Submitted, Identified {}
