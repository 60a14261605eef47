package dev.toolgate.core.audit;

import java.math.BigDecimal;
import java.util.Optional;

/** The price of a tool call, in the installation's unit. */
@FunctionalInterface
public interface Costs {
    /** Nothing has a price. */
    Costs NONE = tool -> Optional.empty();

    /** The price of one call of this tool (canonical name). */
    Optional<BigDecimal> of(String tool);
}
