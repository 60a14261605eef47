package dev.toolgate.server.admin.approval;

import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.server.door.PathIds;
import java.util.UUID;

/** Ids of questions and of standing approvals. */
final class Questions {
    private Questions() {}

    static UUID id(String text) {
        return PathIds.uuid(text).orElseThrow(Questions::none);
    }

    static UUID afterId(String text) {
        return PathIds.uuid(text)
                .orElseThrow(
                        () -> new BadRequest("The query parameter 'after' must be the id of the last entry before."));
    }

    static HttpFailure none() {
        return HttpFailure.notFound("There is no approval with this id.");
    }
}
