package dev.toolgate.core.audit;

import java.math.BigDecimal;
import java.util.Optional;

/** What one call of a tool costs, in whatever unit the installation counts. */
@FunctionalInterface
public interface Costs {
    /** Nothing has a price. */
    Costs NONE = tool -> Optional.empty();

    /** The price of one call, by the tool's canonical name. */
    Optional<BigDecimal> of(String tool);
}
