package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Failure;
import dev.toolgate.core.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * What the gate would say to a call.
 *
 * @param obstacle why a call that may be made would still fail: no such tool, or wrong arguments
 */
public record Judgement(Decision decision, @Nullable Failure obstacle) {}
