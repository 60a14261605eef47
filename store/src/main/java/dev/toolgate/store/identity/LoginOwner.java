package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import java.util.Set;

/** The owner of a console log-in. */
public sealed interface LoginOwner {

    /** The bearer of a key, in its current state. */
    record OfKey(ApiKey key) implements LoginOwner {}

    /**
     * A person.
     *
     * @param tenant that the log-in is for
     * @param groups of the person that determined the role
     */
    record OfPerson(StoredPerson person, TenantId tenant, Set<String> groups) implements LoginOwner {
        public OfPerson {
            groups = Set.copyOf(groups);
        }
    }
}
