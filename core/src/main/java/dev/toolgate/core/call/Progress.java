package dev.toolgate.core.call;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a running call, as reported by its tool.
 *
 * @param done in the tool's own unit; increasing
 * @param total in the same unit, if known
 */
public record Progress(
        BigDecimal done,
        @Nullable BigDecimal total,
        @Nullable String message) {}
