package dev.toolgate.store.grant;

import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Grants.Approval;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The terms a tool is granted on.
 *
 * @param expiresAt {@code null} if it does not end
 * @param condition what must be true of a call; {@code null} if every call is covered
 * @param examples calls the condition was written for; checked when it is saved
 * @param maxUses {@code null} if it may be used without number
 * @param notes a remark that stays with the grant
 */
public record Terms(
        Approval approval,
        @Nullable Instant expiresAt,
        @Nullable String condition,
        ConditionExamples examples,
        @Nullable Integer maxUses,
        @Nullable String notes) {

    /** Every call, without end. */
    public static final Terms PLAIN = new Terms(Approval.NOT_NEEDED, null, null, ConditionExamples.NONE, null, null);

    private static final int MOST_EXAMPLES = 20;
    // The database counts years from -4713 to 294276; nobody grants a tool for that long.
    private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

    /** Refuses what cannot be stored or can have no meaning; whether the condition is right is not looked at. */
    void check() {
        if (expiresAt != null && (expiresAt.isBefore(FIRST) || expiresAt.isAfter(LAST))) {
            throw new IllegalArgumentException("The time a grant expires must be in the years 1970 to 9999.");
        }
        if (condition == null && !examples.isEmpty()) {
            throw new IllegalArgumentException("Examples belong to a condition, and there is none.");
        }
        if (maxUses != null && maxUses < 1) {
            throw new IllegalArgumentException("The number of uses must be at least 1; leave it out for any number.");
        }
        if (Math.max(examples.matches().size(), examples.doesNotMatch().size()) > MOST_EXAMPLES) {
            throw new IllegalArgumentException(
                    "A condition can have at most " + MOST_EXAMPLES + " examples of each kind.");
        }
        StoredText.checkProse("The condition", condition);
        StoredText.checkProse("The notes", notes);
    }

    /** The same terms, but each call must be approved by a person. */
    public Terms withApproval() {
        return new Terms(Approval.REQUIRED, expiresAt, condition, examples, maxUses, notes);
    }

    /** The same terms until then. */
    public Terms until(@Nullable Instant newExpiresAt) {
        return new Terms(approval, newExpiresAt, condition, examples, maxUses, notes);
    }

    /** The same terms for calls of which the condition is true. */
    public Terms when(@Nullable String newCondition, ConditionExamples newExamples) {
        return new Terms(approval, expiresAt, newCondition, newExamples, maxUses, notes);
    }

    /** The same terms for a number of uses. */
    public Terms atMost(@Nullable Integer newMaxUses) {
        return new Terms(approval, expiresAt, condition, examples, newMaxUses, notes);
    }

    /** The same terms with a remark. */
    public Terms noting(@Nullable String newNotes) {
        return new Terms(approval, expiresAt, condition, examples, maxUses, newNotes);
    }
}
