package dev.toolgate.server.identity;

import dev.toolgate.store.identity.ApiKey;

/** Who the bearer of a key is. */
final class Principals {
    private Principals() {}

    static Principal of(ApiKey key) {
        Role role = Role.of(key.role())
                .orElseThrow(() -> new IllegalStateException("There is no role '" + key.role() + "'."));
        return new Principal(key.tenant(), role, key.shortName(), key.agent());
    }
}
