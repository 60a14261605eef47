package dev.toolgate.tools.database;

import dev.toolgate.core.call.TenantId;
import java.util.Optional;

/** The configured databases of each tenant, by name. */
@FunctionalInterface
public interface DatabaseTargets {
    /** The tenant's database of this name; empty if it has none. */
    Optional<DatabaseTarget> find(TenantId tenant, String name);
}
