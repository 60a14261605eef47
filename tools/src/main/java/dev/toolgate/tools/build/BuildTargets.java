package dev.toolgate.tools.build;

import dev.toolgate.core.call.TenantId;
import java.util.Optional;

/** The configured builds of each tenant, by name. */
@FunctionalInterface
public interface BuildTargets {
    /** The tenant's build of this name; empty if it has none. */
    Optional<BuildTarget> find(TenantId tenant, String name);
}
