package dev.toolgate.store.audit.write;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.RecordDigest;
import dev.toolgate.store.audit.record.RecordTexts;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An item to be written to the audit log. */
public sealed interface AuditItem {
    CallFacts facts();

    /** The request key that is taken in the same transaction. */
    @Nullable
    RequestKey claims();

    /** Whether it is written without its key if the key belongs to another call. */
    boolean isWrittenWithoutKey();

    /** Its approximate size in characters. */
    int weight();

    /**
     * The intent of a call that is about to have an external effect.
     *
     * @param permitUntil when the permit of a call ends that its caller runs; {@code null} if the gate runs it
     */
    record Intended(
            long number,
            RecordTexts texts,
            @Nullable RequestKey claims,
            @Nullable Instant permitUntil) implements AuditItem {
        public Intended(long number, CallFacts facts, @Nullable RequestKey claims, @Nullable Instant permitUntil) {
            this(number, new RecordTexts(facts), claims, permitUntil);
        }

        /** The intent of a call that the gate runs. */
        public Intended(long number, CallFacts facts, @Nullable RequestKey claims) {
            this(number, facts, claims, null);
        }

        @Override
        public CallFacts facts() {
            return texts.facts();
        }

        @Override
        public boolean isWrittenWithoutKey() {
            return false;
        }

        @Override
        public int weight() {
            return facts().parameters().length();
        }
    }

    /**
     * The record of an ended call.
     *
     * @param intent the number of its intent, which is closed with it
     * @param answer the outcome for repeated calls
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

        /** Whether it ends a permit, which is stored under its request key. */
        boolean endsPermit() {
            return answer != null && answer.progress() == AuditLog.Progress.REPORTED;
        }

        @Override
        public @Nullable RequestKey claims() {
            return answer == null || answer.held() ? null : answer.key();
        }

        @Override
        public boolean isWrittenWithoutKey() {
            return answer == null || answer.progress() == AuditLog.Progress.STARTED;
        }

        @Override
        public int weight() {
            return facts().parameters().length() + (answer == null ? 0 : answer.weight());
        }
    }
}
