package dev.toolgate.core.tool;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import java.util.Optional;

/**
 * Passwords, tokens and keys that tools work with, each tenant's own. Asked for at every call, so that a
 * secret that was changed is the one that is used.
 */
@FunctionalInterface
public interface Secrets {
    /** Nobody has any. */
    Secrets NONE = (tenant, name) -> Optional.empty();

    /**
     * The secret this tenant has under this name, for example {@code GITHUB_TOKEN}.
     *
     * @throws Unavailable if whoever keeps it cannot be reached
     */
    Optional<String> find(TenantId tenant, String name);
}
