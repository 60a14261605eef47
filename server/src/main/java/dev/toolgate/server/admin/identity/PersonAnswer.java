package dev.toolgate.server.admin.identity;

import dev.toolgate.store.identity.StoredPerson;
import java.time.Instant;
import java.util.UUID;

/** A person as a JSON response. */
record PersonAnswer(
        UUID personId,
        String name,
        String displayName,
        String issuer,
        String subject,
        Instant firstLoginAt,
        Instant lastLoginAt) {

    static PersonAnswer of(StoredPerson person) {
        return new PersonAnswer(
                person.id(),
                person.name(),
                person.displayName(),
                person.issuer(),
                person.subject(),
                person.firstLoginAt(),
                person.lastLoginAt());
    }
}
