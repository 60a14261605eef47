package dev.toolgate.core.approval;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The approvers' side of approvals: lists approval requests and takes votes on them. */
public interface ApprovalDesk {

    /** Finds one approval request of a tenant. */
    Optional<ApprovalRequest> find(TenantId tenant, UUID id);

    /** The call of a request as it was sent, until it has ended; secrets are not masked. */
    Optional<Call> heldCall(TenantId tenant, UUID id);

    /**
     * Lists approval requests of a tenant, newest first.
     *
     * @param after the last request of the previous page; {@code null} for the first page
     */
    List<ApprovalRequest> list(TenantId tenant, Filter filter, @Nullable UUID after, int limit);

    /**
     * Votes on a request. A denial decides it. An approval decides it once enough different people have approved, the caller
     * excluded where the terms say so. Later votes, and votes after expiry, do not count.
     *
     * @throws IllegalArgumentException if the vote is for a session and the call has none
     */
    VoteResult answer(TenantId tenant, UUID id, Vote vote);

    /** The standing approvals of a tenant, newest first. */
    List<StandingApproval> standing(TenantId tenant, @Nullable UUID after, int limit);

    /** Finds a standing approval that has not been revoked. */
    Optional<StandingApproval> standing(TenantId tenant, UUID id);

    /** Revokes a standing approval, effective with the next call; false if there is none. */
    boolean revoke(TenantId tenant, UUID id, String by);

    /**
     * Selects requests; {@code null} matches any.
     *
     * @param principal who made the calls
     */
    record Filter(
            @Nullable State state,
            @Nullable AgentId agent,
            @Nullable String tool,
            @Nullable String principal) {
        public static final Filter ALL = Filter.by(null, null, null);

        /** Calls of any principal. */
        public static Filter by(@Nullable State state, @Nullable AgentId agent, @Nullable String tool) {
            return new Filter(state, agent, tool, null);
        }
    }

    /**
     * One person's vote on a request.
     *
     * @param until when a standing approval expires; {@code null} if it holds until revoked
     */
    record Vote(
            Choice choice,
            String by,
            @Nullable String reason,
            Scope scope,
            @Nullable Instant until) {
        /** A vote on this call only. */
        public static Vote once(Choice choice, String by, @Nullable String reason) {
            return new Vote(choice, by, reason, Scope.ONCE, null);
        }
    }

    /** The two possible votes. */
    enum Choice {
        APPROVE,
        DENY;

        /** The verdict it leads to. */
        public Approvals.Verdict verdict() {
            return this == APPROVE ? Approvals.Verdict.APPROVED : Approvals.Verdict.DENIED;
        }
    }

    /** What an approval covers. */
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

        /** The narrower of two scopes. */
        public Scope and(Scope other) {
            return compareTo(other) < 0 ? this : other;
        }
    }

    /** The state of a request. */
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
                case TIMED_OUT, NO_APPROVER -> TIMED_OUT;
                case WITHDRAWN -> WITHDRAWN;
            };
        }

        /** The name as it is sent. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The result of a vote. */
    sealed interface VoteResult {
        /** It counts, and the request is decided. */
        record Decided(ApprovalRequest request) implements VoteResult {}

        /** It counts, and more approvers are needed. */
        record MoreVotesNeeded(ApprovalRequest request) implements VoteResult {}

        /** The same person has approved before, which counts once. */
        record AlreadyVoted(ApprovalRequest request) implements VoteResult {}

        /** It does not count: the voter made the call, which someone else must approve. */
        record OwnCall(ApprovalRequest request) implements VoteResult {}

        /** The request is already decided or expired. */
        record TooLate(ApprovalRequest request) implements VoteResult {}

        /** There is no such request. */
        record Unknown() implements VoteResult {}
    }
}
