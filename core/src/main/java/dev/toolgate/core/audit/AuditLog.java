package dev.toolgate.core.audit;

import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The append-only record of every call. Both methods return only once the entry is durable. */
public interface AuditLog {

    /**
     * A tool that changes something or sends data out is about to start.
     *
     * @param key taken together with the intent, where the caller chose the request id; or taken over from the
     *     question by which this call was held
     * @throws RequestKeys.Taken if another call has that key, and then nothing was written
     */
    void intend(Intent intent, @Nullable RequestKey key);

    /**
     * A call has ended, one way or another. The entry of a call that has started is always written; if another call
     * has its key, then without the key.
     *
     * @param answer kept together with the entry, where the caller chose the request id
     * @throws RequestKeys.Taken if the call never started and another one has that key or has ended under it; then
     *     nothing was written
     */
    void record(Entry entry, @Nullable KeptAnswer answer);

    /** The same, for a call whose request id the gate chose. */
    default void intend(Intent intent) {
        intend(intent, null);
    }

    /** The same, for a call whose request id the gate chose. */
    default void record(Entry entry) {
        record(entry, null);
    }

    /**
     * What is about to happen. Parameters and texts are already free of secrets.
     *
     * @param tool the canonical name, or the name as sent if no tool has it
     * @param argumentsDigest a keyed digest of the arguments as they were sent
     * @param maskedCharacters how many characters of the arguments are masked in {@code parameters}
     */
    record Intent(
            Kind kind,
            RequestId requestId,
            Caller caller,
            CallContext context,
            @Nullable String project,
            String tool,
            String operation,
            ObjectNode parameters,
            @Nullable String argumentsDigest,
            @Nullable Integer maskedCharacters,
            Instant at) {}

    /** What is on record. */
    enum Kind {
        /** A call of a tool. */
        CALL,
        /** A change of keys, permissions, settings and the like. */
        ADMINISTRATION;

        /** The name in records. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What a person answered.
     *
     * @param by who was asked and answered, also where the answer was no
     * @param at when they answered
     * @param reason why, in their words
     * @param ruleId the rule of the session's policy that wanted them asked, if one did
     */
    record Approval(
            @Nullable String by,
            @Nullable Instant at,
            @Nullable String reason,
            @Nullable String ruleId) {
        /** No person was asked. */
        public static final Approval NONE = new Approval(null, null, null, null);
    }

    /**
     * The fact of one call. Texts are already free of secrets.
     *
     * @param call what was asked for
     * @param cost what the call cost, where the tool has a price and was started
     */
    record Entry(
            Intent call,
            Duration took,
            Status status,
            @Nullable ErrorCode error,
            @Nullable String denialReason,
            Approval approval,
            String resultSummary,
            @Nullable BigDecimal cost) {

        public RequestId requestId() {
            return call.requestId();
        }

        public Caller caller() {
            return call.caller();
        }

        public String tool() {
            return call.tool();
        }

        public ObjectNode parameters() {
            return call.parameters();
        }

        /** Whether the gate let the call through. */
        public boolean allowed() {
            return status != Status.REFUSED;
        }
    }

    /**
     * What a repeated call with this key is answered with.
     *
     * @param outcome {@code null} if it is not to be kept; the key must be held already
     * @param claim who has the key; without it, a call that never started could end one that is running
     */
    record KeptAnswer(RequestKey key, @Nullable Outcome outcome, Claim claim, Progress progress) {
        /** Of a call that never started. */
        public KeptAnswer(RequestKey key, @Nullable Outcome outcome, Claim claim) {
            this(key, outcome, claim, Progress.NOT_STARTED);
        }
    }

    /** How far a call came. */
    enum Progress {
        NOT_STARTED,
        /** Its tool was started, so that it may have had effects. */
        STARTED
    }

    /** Whether a call that ends has its key already. */
    enum Claim {
        /** It has: the key was taken together with its intent or its question. */
        HELD,
        /** It has not: the key is taken together with the entry. */
        NEW,
        /** It belongs to another call, or was never claimed; the entry leaves it alone. */
        NONE
    }

    /** How the call ended. */
    enum Status {
        COMPLETED,
        FAILED,
        REFUSED,
        INTERRUPTED
    }
}
