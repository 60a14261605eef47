package dev.toolgate.server.admin.session;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.runtime.tools.file.SessionChanges;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The files a session has changed, with diffs up to a total size. */
final class SessionChangesAnswer {
    private static final int MAX_DIFF = 64 * 1024;
    private static final int MAX_TOTAL = 2 * 1024 * 1024;

    private SessionChangesAnswer() {}

    static ObjectNode of(SessionId session, SessionChanges changes, Redactor redactor) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("session_id", session.value());
        ArrayNode files = answer.putArray("files");
        int room = MAX_TOTAL;
        for (SessionChanges.ChangedFile changed : changes.files()) {
            ObjectNode file = files.addObject();
            file.put("path", changed.path());
            file.put("change", changed.kind().name().toLowerCase(Locale.ROOT));
            if (room > 0) {
                String diff = HeadTail.fit(redactor.mask(changed.diff()).value(), MAX_DIFF);
                file.put("diff", diff);
                room -= diff.length();
            }
        }
        answer.put("not_shown", changes.notShown());
        return answer;
    }
}
