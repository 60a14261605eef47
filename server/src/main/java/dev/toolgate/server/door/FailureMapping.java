package dev.toolgate.server.door;

import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.store.grant.UnknownTarget;
import dev.toolgate.store.grant.VersionConflict;
import java.util.function.Supplier;

/** Maps failures of the store and of validation to HTTP errors. */
public final class FailureMapping {
    private FailureMapping() {}

    /** For an id from the path: if it is unknown, 404. */
    public static <T> T unknownAsNotFound(Supplier<T> work) {
        try {
            return checked(work);
        } catch (UnknownTarget unknown) {
            throw HttpFailure.notFound(message(unknown));
        }
    }

    /** For an id from the body: if it is unknown, 409. */
    public static <T> T unknownAsConflict(Supplier<T> work) {
        try {
            return checked(work);
        } catch (UnknownTarget unknown) {
            throw HttpFailure.conflict(message(unknown));
        }
    }

    /** For input that does not have the documented form: 400. */
    public static void invalidAsBadRequest(Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(message(wrong));
        }
    }

    /** Adds the name of the field to an error. */
    public static <T> T inField(String field, Supplier<T> work) {
        try {
            return unknownAsConflict(work);
        } catch (HttpFailure wrong) {
            throw wrong.withMessage("Field '" + field + "': " + message(wrong));
        }
    }

    private static <T> T checked(Supplier<T> work) {
        try {
            return work.get();
        } catch (VersionConflict outdated) {
            throw HttpFailure.conflict(message(outdated));
        } catch (InvalidCondition unusable) {
            // It is well formed, but does not compile or contradicts its own examples.
            throw HttpFailure.conflict(message(unusable));
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(message(wrong));
        }
    }

    private static String message(RuntimeException refusal) {
        return String.valueOf(refusal.getMessage());
    }
}
