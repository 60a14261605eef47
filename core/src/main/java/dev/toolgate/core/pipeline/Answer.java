package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;

/**
 * What a dialect turns into a response.
 *
 * @param logged whether the call is durably on record
 */
public record Answer(RequestId requestId, Outcome outcome, boolean logged) {}
