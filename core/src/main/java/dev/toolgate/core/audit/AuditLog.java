package dev.toolgate.core.audit;

import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.tool.RunsAt;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The append-only record of every call. Each method returns only once its entry is durable. */
public interface AuditLog {

    /**
     * A tool that changes something or sends data out is about to start.
     *
     * @param key taken together with the intent if the caller chose the request id, or taken over from the approval
     *     request that held this call
     * @throws RequestKeys.Taken if another call has the key; nothing was written
     */
    void intend(Intent intent, @Nullable RequestKey key);

    /**
     * A caller is about to get a permit to run a tool itself. The permit stays open, even if this instance stops, until
     * {@link #record} ends it with {@link Progress#REPORTED}, or it expires and is recorded as interrupted.
     *
     * @throws RequestKeys.Taken if another call has the key; nothing was written
     */
    void permit(Permit permit);

    /**
     * A call has ended. The entry of a started call is always written, without its key if another call has that.
     *
     * @param answer stored together with the entry if the caller chose the request id
     * @throws RequestKeys.Taken if the call never started and another one has or had the key; nothing was written
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
     * What is about to happen, with secrets masked.
     *
     * @param tool the canonical name, or the name as sent if there is no such tool
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

    /**
     * A permit to run a tool outside the gate.
     *
     * @param key taken together with it
     * @param until when the outcome must have been reported
     */
    record Permit(Intent call, RequestKey key, Approval approval, Instant until) {}

    /** The kind of a record. */
    enum Kind {
        /** A call of a tool. */
        CALL,
        /** A change of keys, permissions, settings or similar. */
        ADMINISTRATION;

        /** The name in records. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The human answer to a held call.
     *
     * @param by who answered, yes or no
     * @param at when they answered
     * @param reason why, in their words
     * @param ruleId the approval rule of the session's policy, if one applied
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
     * The record of one call, with secrets masked.
     *
     * @param call what was asked for
     * @param cost if the tool has a price and was started
     * @param executedBy who ran the tool, or would have run it
     */
    record Entry(
            Intent call,
            Duration took,
            Status status,
            @Nullable ErrorCode error,
            @Nullable String denialReason,
            Approval approval,
            String resultSummary,
            @Nullable BigDecimal cost,
            RunsAt executedBy) {

        /** The record of a call that the gate ran or refused. */
        public Entry(
                Intent call,
                Duration took,
                Status status,
                @Nullable ErrorCode error,
                @Nullable String denialReason,
                Approval approval,
                String resultSummary,
                @Nullable BigDecimal cost) {
            this(call, took, status, error, denialReason, approval, resultSummary, cost, RunsAt.GATE);
        }

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
     * The answer for repeated calls with this key.
     *
     * @param outcome {@code null} if it must not be stored
     * @param claim whether this call has the key; without it, a call that never started could end a running one
     */
    record KeptAnswer(RequestKey key, @Nullable Outcome outcome, Claim claim, Progress progress) {
        /** Of a call that never started. */
        public static KeptAnswer ofUnstarted(RequestKey key, @Nullable Outcome outcome, Claim claim) {
            return new KeptAnswer(key, outcome, claim, Progress.NOT_STARTED);
        }
    }

    /** Whether the tool was started. */
    enum Progress {
        NOT_STARTED,
        /** Its tool was started and may have had effects. */
        STARTED,
        /** Its caller ran the tool and reports the outcome; only the first report of an open permit is recorded. */
        REPORTED
    }

    /** Whether a call that ends has its key. */
    enum Claim {
        /** Yes: the key was taken with its intent or its approval request. */
        HELD,
        /** Not yet: the key is taken with the entry. */
        NEW,
        /** No: it belongs to another call or was never claimed; the entry does not touch it. */
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
