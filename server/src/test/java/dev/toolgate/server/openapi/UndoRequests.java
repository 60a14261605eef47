package dev.toolgate.server.openapi;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;

/** Requests to undo recorded changes; of a tenant whose artifacts nothing else uses. */
final class UndoRequests extends DocumentedRequests {
    private static final String PREVIEW = "GET /api/v1/audit/logs/{record_id}/undo";
    private static final String UNDO = "POST /api/v1/audit/logs/{record_id}/undo";
    private static final String REASON = "{\"reason\": \"A mistake\"}";
    private static final String GRANT = "PUT /api/v1/permissions/{agent_id}/{tool_name}";

    private final Client theirs;

    UndoRequests(RunningServer server, CheckedClient checked) {
        super(server, checked);
        theirs = server.withKey(admin.post("/api/v1/tenants", "{\"tenant_id\": \"undoing\", \"name\": \"Undoing\"}")
                .json()
                .at("/admin_key/key")
                .asString());
    }

    void all() {
        grant("memory_save", "{\"allowed\": true}");
        grant("memory_delete", "{\"allowed\": true}");
        String first = saved("u1");
        seen(200, checked.ask(theirs, PREVIEW, first));
        seen(404, checked.ask(theirs, PREVIEW, "999999999"));
        seen(404, checked.send(theirs, UNDO, REASON, "999999999"));
        Client auditor = server.withKey(theirs.post("/api/v1/keys", "{\"role\": \"auditor\"}")
                .json()
                .path("key")
                .asString());
        seen(403, checked.ask(auditor, PREVIEW, first));
        seen(403, checked.send(auditor, UNDO, REASON, first));
        seen(200, checked.send(theirs, UNDO, REASON, first));
        seen(409, checked.send(theirs, UNDO, REASON, first));
        String second = saved("u2");
        grant("memory_delete", "{\"allowed\": true, \"requires_approval\": true}");
        seen(202, checked.send(theirs.with("Prefer", "respond-async"), UNDO, REASON, second));
    }

    private void grant(String tool, String terms) {
        seen(200, checked.send(theirs, GRANT, terms, "undoer", tool));
    }

    /** Makes an item of memory, and returns the id of the record. */
    private String saved(String request) {
        Reply saved =
                execute(theirs, request, "undoer", "memory_save", "{\"key\": \"" + request + "\", \"value\": \"one\"}");
        seen(200, saved);
        return theirs.get("/api/v1/audit/logs?request_id=" + request).each("id").getFirst();
    }
}
