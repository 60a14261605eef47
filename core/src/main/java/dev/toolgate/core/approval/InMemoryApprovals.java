package dev.toolgate.core.approval;

import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Approval requests and standing approvals in memory; when full, the oldest finished requests are dropped. */
public final class InMemoryApprovals implements Approvals, ApprovalDesk {
    private static final int MAX_KEPT = 10_000;

    private final Clock clock;
    private final @Nullable InMemoryAuditLog keys;
    private final Map<UUID, InMemoryQuestion> questions = new LinkedHashMap<>();
    private final Map<UUID, OwnedApproval> standing = new LinkedHashMap<>();

    public InMemoryApprovals() {
        this(Clock.systemUTC());
    }

    public InMemoryApprovals(Clock clock) {
        this(clock, null);
    }

    /**
     * @param keys where held calls take their request ids; {@code null} without detection of repeated calls
     */
    public InMemoryApprovals(Clock clock, @Nullable InMemoryAuditLog keys) {
        this.clock = clock;
        this.keys = keys;
    }

    private record OwnedApproval(TenantId tenant, StandingApproval approval) {}

    @Override
    public synchronized Reply ask(Question question, Duration lifetime) {
        Optional<StandingApproval> covering = covering(question);
        if (covering.isPresent()) {
            StandingApproval yes = covering.get();
            return new Reply.Settled(new Answer(Verdict.APPROVED, yes.by(), yes.reason(), yes.createdAt()));
        }
        Instant expires = clock.instant().plus(lifetime);
        for (InMemoryQuestion known : questions.values()) {
            if (known.isOf(question.key())) {
                return known.isFor(question.key()) ? new Reply.Asked(known.staysUntil(expires)) : new Reply.OtherCall();
            }
        }
        if (questions.size() >= MAX_KEPT) {
            questions.values().removeIf(InMemoryQuestion::isOver);
        }
        if (keys != null) {
            keys.hold(question.key());
        }
        InMemoryQuestion asked = new InMemoryQuestion(question, clock, expires);
        questions.put(asked.id(), asked);
        return new Reply.Asked(asked);
    }

    @Override
    public synchronized Optional<Approved> approved(RequestKey key) {
        return questions.values().stream()
                .filter(known -> known.isOf(key) && known.isFor(key))
                .flatMap(known -> known.unclaimedYes().map(yes -> new Approved(known, yes)).stream())
                .findFirst();
    }

    private Optional<StandingApproval> covering(Question question) {
        Call call = question.call();
        Instant now = clock.instant();
        return standing.values().stream()
                .filter(stands -> stands.tenant().equals(call.caller().tenant()))
                .map(OwnedApproval::approval)
                .filter(yes -> yes.covers(question) && (yes.expiresAt() == null || now.isBefore(yes.expiresAt())))
                .findFirst();
    }

    /** The pending requests. */
    public synchronized Collection<ApprovalRequest> open() {
        return questions.values().stream()
                .map(InMemoryQuestion::request)
                .filter(request -> request.answer() == null)
                .toList();
    }

    @Override
    public synchronized Optional<ApprovalRequest> find(TenantId tenant, UUID id) {
        return question(tenant, id).map(InMemoryQuestion::request);
    }

    @Override
    public synchronized Optional<Call> heldCall(TenantId tenant, UUID id) {
        return question(tenant, id).filter(question -> !question.isOver()).map(InMemoryQuestion::call);
    }

    @Override
    public synchronized List<ApprovalRequest> list(TenantId tenant, Filter filter, @Nullable UUID after, int limit) {
        return newestFirst(
                questions.values().stream()
                        .map(InMemoryQuestion::request)
                        .filter(request -> request.caller().tenant().equals(tenant)
                                && (filter.state() == null || filter.state() == request.state())
                                && (filter.agent() == null
                                        || filter.agent()
                                                .equals(request.caller().agent()))
                                && (filter.tool() == null || filter.tool().equals(request.tool()))
                                && (filter.principal() == null
                                        || filter.principal()
                                                .equals(request.caller().principal())))
                        .toList(),
                request -> request.id().equals(after),
                after,
                limit);
    }

    @Override
    public synchronized VoteResult answer(TenantId tenant, UUID id, Vote vote) {
        InMemoryQuestion question = question(tenant, id).orElse(null);
        if (question == null) {
            return new VoteResult.Unknown();
        }
        ApprovalRequest before = question.request();
        if (vote.scope() == Scope.SESSION && before.caller().session() == null) {
            throw new IllegalArgumentException(
                    "The call has no session, so it cannot be approved for one; use the scope once or agent.");
        }
        VoteResult result = question.answer(vote);
        if (result instanceof VoteResult.Decided(ApprovalRequest after)
                && after.scope() != null
                && after.scope() != Scope.ONCE) {
            StandingApproval yes = new StandingApproval(
                    UUID.randomUUID(),
                    before.caller().agent(),
                    before.tool(),
                    after.scope() == Scope.SESSION ? before.caller().session() : null,
                    after.answer() == null
                            ? vote.by()
                            : String.valueOf(after.answer().by()),
                    vote.reason(),
                    clock.instant(),
                    vote.until(),
                    after.causes(),
                    after.yeses().stream().map(ApprovalRequest.Yes::by).toList());
            standing.put(yes.id(), new OwnedApproval(tenant, yes));
        }
        return result;
    }

    @Override
    public synchronized Optional<StandingApproval> standing(TenantId tenant, UUID id) {
        return Optional.ofNullable(standing.get(id))
                .filter(stands -> stands.tenant().equals(tenant))
                .map(OwnedApproval::approval);
    }

    @Override
    public synchronized List<StandingApproval> standing(TenantId tenant, @Nullable UUID after, int limit) {
        return newestFirst(
                standing.values().stream()
                        .filter(stands -> stands.tenant().equals(tenant))
                        .map(OwnedApproval::approval)
                        .toList(),
                yes -> yes.id().equals(after),
                after,
                limit);
    }

    @Override
    public synchronized boolean revoke(TenantId tenant, UUID id, String by) {
        return standing.values()
                .removeIf(stands ->
                        stands.tenant().equals(tenant) && stands.approval().id().equals(id));
    }

    private Optional<InMemoryQuestion> question(TenantId tenant, UUID id) {
        return Optional.ofNullable(questions.get(id))
                .filter(found -> found.request().caller().tenant().equals(tenant));
    }

    private static <T> List<T> newestFirst(List<T> oldestFirst, Predicate<T> isLast, @Nullable UUID after, int limit) {
        List<T> entries = new ArrayList<>(oldestFirst.reversed());
        if (after != null) {
            int place = 0;
            while (place < entries.size() && !isLast.test(entries.get(place))) {
                place++;
            }
            entries = entries.subList(Math.min(place + 1, entries.size()), entries.size());
        }
        return entries.stream().limit(limit).toList();
    }
}
