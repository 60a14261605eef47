package dev.toolgate.core.tool;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import java.util.Optional;

/** Secrets that tools use, per tenant. Looked up at every call, so that rotated secrets take effect. */
@FunctionalInterface
public interface Secrets {
    /** No secrets. */
    Secrets NONE = (tenant, name) -> Optional.empty();

    /**
     * The tenant's secret of this name, for example {@code GITHUB_TOKEN}.
     *
     * @throws Unavailable if the secret store cannot be reached
     */
    Optional<String> find(TenantId tenant, String name);
}
