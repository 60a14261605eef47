package dev.toolgate.core.call;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How far a running call has come, as its tool says.
 *
 * @param done in a unit of the tool's own; grows
 * @param total of the same unit, if it is known
 */
public record Progress(
        BigDecimal done,
        @Nullable BigDecimal total,
        @Nullable String message) {}
