package dev.toolgate.store.audit;

import dev.toolgate.core.port.RequestKey;
import org.jspecify.annotations.Nullable;

/** What waits to be written. */
sealed interface AuditItem {
    CallFacts facts();

    /** The key that is taken with it; nothing is written if somebody else has it. */
    @Nullable
    RequestKey claims();

    /** Roughly how many characters it has. */
    int weight();

    /** A call is about to change something. */
    record Intended(long number, CallFacts facts, @Nullable RequestKey claims) implements AuditItem {
        @Override
        public int weight() {
            return facts.parameters().length();
        }
    }

    /**
     * A call has ended.
     *
     * @param intent the intent that ends with it
     * @param answer what a repeated call is answered with
     */
    record Ended(
            CallFacts facts,
            String digest,
            @Nullable Long intent,
            @Nullable KeyAnswer answer) implements AuditItem {
        Ended(CallFacts facts, @Nullable Long intent, @Nullable KeyAnswer answer) {
            this(facts, facts.digest(), intent, answer);
        }

        @Override
        public @Nullable RequestKey claims() {
            return answer == null || answer.held() ? null : answer.key();
        }

        @Override
        public int weight() {
            return facts.parameters().length() + (answer == null ? 0 : answer.weight());
        }
    }
}
