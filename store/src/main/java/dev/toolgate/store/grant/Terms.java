package dev.toolgate.store.grant;

import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Grants.Approval;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a grant.
 *
 * @param expiresAt {@code null} if it does not expire
 * @param condition must be true for a call; {@code null} if every call is covered
 * @param examples calls that the condition must match or not match; checked when it is saved
 * @param maxUses {@code null} for unlimited uses
 * @param notes a note stored with the grant
 */
public record Terms(
        Approval approval,
        @Nullable Instant expiresAt,
        @Nullable String condition,
        ConditionExamples examples,
        @Nullable Integer maxUses,
        @Nullable String notes) {

    /** Every call, without expiry. */
    public static final Terms PLAIN = new Terms(Approval.NOT_NEEDED, null, null, ConditionExamples.NONE, null, null);

    private static final int MAX_EXAMPLES = 20;
    // Within the range of PostgreSQL timestamps, which is smaller than that of Instant.
    private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** Rejects values that cannot be stored or make no sense; does not check the condition itself. */
    void check() {
        if (expiresAt != null && (expiresAt.isBefore(FIRST) || expiresAt.isAfter(LAST))) {
            throw new IllegalArgumentException("A grant must expire between the years 1970 and 9999.");
        }
        if (condition == null && !examples.isEmpty()) {
            throw new IllegalArgumentException("Examples are only allowed with a condition; add one or remove them.");
        }
        if (maxUses != null && maxUses < 1) {
            throw new IllegalArgumentException("The number of uses must be at least 1; omit it for unlimited uses.");
        }
        if (Math.max(examples.matches().size(), examples.doesNotMatch().size()) > MAX_EXAMPLES) {
            throw new IllegalArgumentException(
                    "A condition can have at most " + MAX_EXAMPLES + " examples of each kind.");
        }
        StoredText.checkProse("The condition", condition);
        StoredText.checkProse("The notes", notes);
    }

    /** The same terms, but each call must be approved by a person. */
    public Terms withApproval() {
        return new Terms(Approval.REQUIRED, expiresAt, condition, examples, maxUses, notes);
    }

    /** The same terms with another expiry. */
    public Terms until(@Nullable Instant newExpiresAt) {
        return new Terms(approval, newExpiresAt, condition, examples, maxUses, notes);
    }

    /** The same terms with a condition. */
    public Terms when(@Nullable String newCondition, ConditionExamples newExamples) {
        return new Terms(approval, expiresAt, newCondition, newExamples, maxUses, notes);
    }

    /** The same terms with a maximum number of uses. */
    public Terms withMaxUses(@Nullable Integer newMaxUses) {
        return new Terms(approval, expiresAt, condition, examples, newMaxUses, notes);
    }

    /** The same terms with notes. */
    public Terms withNotes(@Nullable String newNotes) {
        return new Terms(approval, expiresAt, condition, examples, maxUses, newNotes);
    }
}
