package dev.toolgate.server.dialect.access;

import dev.toolgate.server.http.BadRequest;
import dev.toolgate.server.http.HttpFailure;
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

    /** Where the body names what may not exist: then the request makes no sense. */
    public static <T> T ofBody(Supplier<T> work) {
        try {
            return checked(work);
        } catch (UnknownTarget unknown) {
            throw new BadRequest(message(unknown));
        }
    }

    /** Where one of several parts of the body is at fault: says which. */
    public static <T> T at(String field, Supplier<T> work) {
        try {
            return ofBody(work);
        } catch (BadRequest wrong) {
            throw new BadRequest("Field '" + field + "': " + message(wrong));
        }
    }

    private static <T> T checked(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(message(wrong));
        }
    }

    private static String message(RuntimeException refusal) {
        return String.valueOf(refusal.getMessage());
    }
}
