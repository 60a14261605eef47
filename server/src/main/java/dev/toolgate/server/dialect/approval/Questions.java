package dev.toolgate.server.dialect.approval;

import dev.toolgate.server.http.BadRequest;
import dev.toolgate.server.http.HttpFailure;
import java.util.UUID;

/** Ids of questions and of standing approvals. */
final class Questions {
    private Questions() {}

    static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw none();
        }
    }

    static UUID afterId(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw new BadRequest("The query parameter 'after' must be the id of the last entry before.");
        }
    }

    static HttpFailure none() {
        return HttpFailure.notFound("There is no approval with this id.");
    }
}
