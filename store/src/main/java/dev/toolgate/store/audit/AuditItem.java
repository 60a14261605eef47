package dev.toolgate.store.audit;

import org.jspecify.annotations.Nullable;

/** What waits to be written. */
sealed interface AuditItem {
    CallFacts facts();

    /** A call is about to change something. */
    record Intended(long number, CallFacts facts) implements AuditItem {}

    /**
     * A call has ended.
     *
     * @param intent the intent that ends with it
     */
    record Ended(CallFacts facts, String digest, @Nullable Long intent) implements AuditItem {
        Ended(CallFacts facts, @Nullable Long intent) {
            this(facts, facts.digest(), intent);
        }
    }
}
