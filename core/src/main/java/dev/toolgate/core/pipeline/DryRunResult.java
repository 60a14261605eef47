package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Failure;
import dev.toolgate.core.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * What the gate would decide about a call.
 *
 * @param obstacle why an allowed call would still fail: unknown tool or invalid arguments
 */
public record DryRunResult(Decision decision, @Nullable Failure obstacle) {}
