package dev.toolgate.core.approval;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where people see what they are asked, and answer. */
public interface ApprovalDesk {

    /** One question of a tenant. */
    Optional<ApprovalRequest> find(TenantId tenant, UUID id);

    /**
     * Questions of a tenant, newest first.
     *
     * @param after only what comes after this one, if given: the page that follows
     */
    List<ApprovalRequest> list(TenantId tenant, Filter filter, @Nullable UUID after, int limit);

    /**
     * Answers a question. A no ends it; a yes does once there are as many as it needs, of different people and, where its
     * terms say so, of none who made the call. Nothing counts after that, or after its time.
     *
     * @throws IllegalArgumentException if the answer is for a session and the call belongs to none
     */
    Ruling answer(TenantId tenant, UUID id, Say say);

    /** The standing approvals of a tenant, newest first. */
    List<StandingApproval> standing(TenantId tenant, @Nullable UUID after, int limit);

    /** A standing approval that has not been taken back. */
    Optional<StandingApproval> standing(TenantId tenant, UUID id);

    /** Takes a standing approval back, for the next call; false if there is none. */
    boolean revoke(TenantId tenant, UUID id, String by);

    /**
     * Which questions are wanted; {@code null} means any.
     *
     * @param principal whose calls they are about
     */
    record Filter(
            @Nullable State state,
            @Nullable AgentId agent,
            @Nullable String tool,
            @Nullable String principal) {
        public static final Filter ALL = new Filter(null, null, null);

        /** Whoever made the call. */
        public Filter(@Nullable State state, @Nullable AgentId agent, @Nullable String tool) {
            this(state, agent, tool, null);
        }
    }

    /**
     * What somebody says to a question.
     *
     * @param until when a yes beyond this call ends; {@code null} if it stands until it is taken back
     */
    record Say(
            YesOrNo yesOrNo,
            String by,
            @Nullable String reason,
            Scope scope,
            @Nullable Instant until) {
        /** An answer to this question only. */
        public static Say once(YesOrNo yesOrNo, String by, @Nullable String reason) {
            return new Say(yesOrNo, by, reason, Scope.ONCE, null);
        }
    }

    /** The two things a person can say. */
    enum YesOrNo {
        YES,
        NO;

        /** What it makes of the question. */
        public Approvals.Verdict verdict() {
            return this == YES ? Approvals.Verdict.APPROVED : Approvals.Verdict.DENIED;
        }
    }

    /** How far a yes reaches. */
    enum Scope {
        /** This call. */
        ONCE,
        /** This call, and the tool for the rest of the session. */
        SESSION,
        /** This call, and the tool for the agent. */
        AGENT;

        /** The name as it is stored and sent. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** How far two yeses reach together. */
        public Scope and(Scope other) {
            return compareTo(other) < 0 ? this : other;
        }
    }

    /** Where a question stands. */
    enum State {
        PENDING,
        APPROVED,
        DENIED,
        TIMED_OUT,
        WITHDRAWN;

        static State of(Approvals.Verdict verdict) {
            return switch (verdict) {
                case APPROVED -> APPROVED;
                case DENIED -> DENIED;
                case TIMED_OUT, NOBODY_TO_ASK -> TIMED_OUT;
                case WITHDRAWN -> WITHDRAWN;
            };
        }

        /** The name as it is sent. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What came of an answer. */
    sealed interface Ruling {
        /** It counts, and the question is answered. */
        record Counted(ApprovalRequest request) implements Ruling {}

        /** It counts, and other people's yeses are needed too. */
        record OneOfSeveral(ApprovalRequest request) implements Ruling {}

        /** It was said before by the same person, whose yes counts once. */
        record SaidBefore(ApprovalRequest request) implements Ruling {}

        /** It does not count: whoever says it made the call, and others must approve it. */
        record OwnCall(ApprovalRequest request) implements Ruling {}

        /** Somebody was quicker, or nobody was quick enough. */
        record TooLate(ApprovalRequest request) implements Ruling {}

        /** There is no such question. */
        record Unknown() implements Ruling {}
    }
}
