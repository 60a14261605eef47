package dev.toolgate.server.gate;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.pipeline.Answer;

/**
 * The attempt of a principal to act as an agent that it may not act as. Nothing was done.
 *
 * @param call the attempt, under a request id of its own
 * @param why what the caller is told, and the record
 * @param answer whether the attempt is on record
 */
public record Impersonation(Call call, Failure why, Answer answer) implements Submitted, Identified {}
