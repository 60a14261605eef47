package dev.toolgate.server.door;

import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.store.grant.UnknownTarget;
import java.util.function.Supplier;

/** What the store refuses, as answers. */
public final class Refusals {
    private Refusals() {}

    /** Where the path names what may not exist: then nothing is there. */
    public static <T> T ofPath(Supplier<T> work) {
        try {
            return checked(work);
        } catch (UnknownTarget unknown) {
            throw HttpFailure.notFound(message(unknown));
        }
    }

    /** Where the body names what may not exist: then the request contradicts what is there. */
    public static <T> T ofBody(Supplier<T> work) {
        try {
            return checked(work);
        } catch (UnknownTarget unknown) {
            throw HttpFailure.conflict(message(unknown));
        }
    }

    /** Where something has not the form that the document says. */
    public static void ofForm(Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(message(wrong));
        }
    }

    /** Where one of several parts of the body is at fault: says which. */
    public static <T> T at(String field, Supplier<T> work) {
        try {
            return ofBody(work);
        } catch (HttpFailure wrong) {
            throw wrong.saying("Field '" + field + "': " + message(wrong));
        }
    }

    private static <T> T checked(Supplier<T> work) {
        try {
            return work.get();
        } catch (InvalidCondition unusable) {
            // It has the form of a condition; what it says does not fit the language or its own examples.
            throw HttpFailure.conflict(message(unusable));
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(message(wrong));
        }
    }

    private static String message(RuntimeException refusal) {
        return String.valueOf(refusal.getMessage());
    }
}
