package dev.toolgate.store.audit.write;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.RecordDigest;
import dev.toolgate.store.audit.record.RecordTexts;
import org.jspecify.annotations.Nullable;

/** What waits to be written. */
public sealed interface AuditItem {
    CallFacts facts();

    /** The key that is taken with it. */
    @Nullable
    RequestKey claims();

    /** Whether it is written though its key belongs to another call, then without the key. */
    boolean isWrittenAnyway();

    /** Roughly how many characters it has. */
    int weight();

    /** A call is about to have an effect that others can see. */
    record Intended(long number, CallFacts facts, @Nullable RequestKey claims) implements AuditItem {
        @Override
        public boolean isWrittenAnyway() {
            return false;
        }

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
            RecordTexts texts,
            String digest,
            @Nullable Long intent,
            @Nullable KeyOutcome answer) implements AuditItem {
        public Ended(CallFacts facts, @Nullable Long intent, @Nullable KeyOutcome answer) {
            this(new RecordTexts(facts), intent, answer);
        }

        private Ended(RecordTexts texts, @Nullable Long intent, @Nullable KeyOutcome answer) {
            this(texts, RecordDigest.of(texts), intent, answer);
        }

        @Override
        public CallFacts facts() {
            return texts.facts();
        }

        @Override
        public @Nullable RequestKey claims() {
            return answer == null || answer.held() ? null : answer.key();
        }

        @Override
        public boolean isWrittenAnyway() {
            return answer == null || answer.progress() == AuditLog.Progress.STARTED;
        }

        @Override
        public int weight() {
            return facts().parameters().length() + (answer == null ? 0 : answer.weight());
        }
    }
}
