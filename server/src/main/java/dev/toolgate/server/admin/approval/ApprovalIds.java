package dev.toolgate.server.admin.approval;

import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.server.door.PathIds;
import java.util.UUID;

/** Parses ids of approval requests and of standing approvals. */
final class ApprovalIds {
    private ApprovalIds() {}

    static UUID id(String text) {
        return PathIds.uuid(text).orElseThrow(ApprovalIds::none);
    }

    static UUID afterId(String text) {
        return PathIds.uuid(text)
                .orElseThrow(() -> new BadRequest(
                        "The query parameter 'after' must be the id of the last entry of the page before."));
    }

    static HttpFailure none() {
        return HttpFailure.notFound("There is no approval with this id.");
    }
}
