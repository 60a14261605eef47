package dev.toolgate.server.dialect.approval;

import dev.toolgate.server.dialect.access.Ids;
import dev.toolgate.server.http.BadRequest;
import dev.toolgate.server.http.HttpFailure;
import java.util.UUID;

/** Ids of questions and of standing approvals. */
final class Questions {
    private Questions() {}

    static UUID id(String text) {
        return Ids.uuid(text).orElseThrow(Questions::none);
    }

    static UUID afterId(String text) {
        return Ids.uuid(text)
                .orElseThrow(() ->
                        new BadRequest("The query parameter 'after' must be the id of the last entry before."));
    }

    static HttpFailure none() {
        return HttpFailure.notFound("There is no approval with this id.");
    }
}
