package dev.toolgate.server.openapi;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.chat.ChatClient;
import dev.toolgate.server.door.PolicySession;
import java.util.List;
import java.util.Map;

/** Requests to the doors besides the access API. */
final class DoorRequests {
    private static final String SESSIONS = "/api/v1/sessions";
    private static final String ONE = SESSIONS + "/{session_id}";
    private static final String INVOKE = "POST /tools/{tool_name}/invoke";
    private static final String COLLECT = "GET /tools/{tool_name}/invocations/{request_id}";

    private final RunningServer server;
    private final CheckedClient checked;
    private final Client admin;

    DoorRequests(RunningServer server, CheckedClient checked) {
        this.server = server;
        this.checked = checked;
        this.admin = server.admin();
    }

    void all() throws Exception {
        admin.post("/api/v1/agents", "{\"agent_id\": \"visitor\"}");
        admin.put("/api/v1/permissions/visitor/say", "{\"allowed\": true}");
        admin.put("/api/v1/permissions/visitor/gone", "{\"allowed\": true}");
        toolBackend(admin.with("X-Agent-ID", "visitor"));
        sessions();
        invocations();
        conversations();
        mcp(admin.with("X-Agent-ID", "visitor").with("Accept", "application/json, text/event-stream"));
    }

    private void mcp(Client visitor) throws Exception {
        String post = "POST /mcp";
        Reply begun = seen(200, checked.send(visitor, post, """
                {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
                 "capabilities": {}, "clientInfo": {"name": "visitor", "version": "1"}}}"""));
        Client client =
                visitor.with("Mcp-Session-Id", begun.header("Mcp-Session-Id").orElseThrow());
        seen(202, checked.send(client, post, "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}"));
        seen(200, checked.send(client, post, "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/list\"}"));
        seen(400, checked.send(client, post, "[]"));
        seen(403, checked.send(client.with("Origin", "http://elsewhere.example"), post, "{}"));
        try (LiveStream stream = LiveStream.open(client, "/mcp")) {
            stream.readUntil(":");
            checked.began("GET /mcp", stream.status());
        }
        for (String way : List.of("GET /mcp", "DELETE /mcp")) {
            seen(405, checked.ask(visitor, way));
            seen(404, checked.ask(visitor.with("Mcp-Session-Id", "never"), way));
        }
        seen(204, checked.ask(client, "DELETE /mcp"));
        seen(404, checked.send(client, post, "{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"tools/list\"}"));
    }

    private void conversations() {
        seen(426, checked.ask(admin, "GET /ws"));
        seen(400, checked.ask(admin, "GET /ws?colour=red"));
        seen(403, checked.ask(admin.with("Origin", "http://elsewhere.example"), "GET /ws"));
        try (ChatClient client = ChatClient.connect(server.url(), server.key(FIRST, Role.ADMIN, null))) {
            client.await("connection:status");
            checked.upgraded("GET /ws");
        }
    }

    private void toolBackend(Client visitor) {
        seen(200, checked.ask(visitor, "GET /tools"));
        seen(403, checked.ask(server.as(FIRST, Role.AUDITOR), "GET /tools"));
        seen(404, checked.ask(visitor, "GET /tools?sessionId=never"));
        seen(200, execute(visitor, "say", "hello"));
        seen(403, execute(visitor, "bash", "hello"));
        seen(404, execute(visitor, "gone", "hello"));
        Map.of(
                        "FILE_NOT_FOUND", 404,
                        "FILE_TOO_LARGE", 413,
                        "TOOL_EXECUTION_FAILED", 500,
                        "WORKSPACE_UPLOAD_FAILED", 502,
                        "TOOL_EXECUTION_TIMEOUT", 504)
                .forEach((code, status) -> seen(status, execute(visitor, "say", code)));
    }

    private void sessions() {
        String wanted = PolicySession.of("visit", "visitor", "{\"name\": \"Say.Something\"}")
                .json();
        seen(201, checked.send(admin, "POST " + SESSIONS, wanted));
        seen(409, checked.send(admin, "POST " + SESSIONS, wanted));
        seen(400, checked.send(admin, "POST " + SESSIONS, wanted.replace("\"1.0\"", "\"0.9\"")));
        seen(403, checked.send(admin, "POST " + SESSIONS, wanted.replace("2099", "1999")));
        seen(201, checked.send(admin, "POST " + SESSIONS, wanted.replace("\"visit\"", "\"visit/2\"")));
        assertThat(seen(200, checked.ask(admin, "GET " + SESSIONS + "?limit=1")).next())
                .isPresent();
        seen(200, checked.ask(admin, "GET " + ONE, "visit/2"));
        seen(404, checked.ask(admin, "GET " + ONE, "never"));
        seen(200, checked.ask(admin, "GET " + ONE + "/changes", "visit/2"));
        seen(404, checked.ask(admin, "GET " + ONE + "/changes", "never"));
        seen(204, checked.ask(admin, "DELETE " + ONE, "visit/2"));
        seen(404, checked.ask(admin, "DELETE " + ONE, "visit/2"));
        seen(403, checked.ask(server.as(FIRST, Role.AUDITOR), "DELETE " + ONE, "visit"));
        seen(200, checked.ask(admin, "GET " + SESSIONS));
    }

    private void invocations() {
        for (String text : new String[] {"hello", "TOOL_EXECUTION_FAILED"}) {
            seen(200, checked.send(admin, INVOKE, invocation("visit", text), "say"));
        }
        seen(200, checked.send(admin, INVOKE, invocation("never", "hello"), "say"));
        seen(409, checked.send(admin, INVOKE, invocation("visit", "hello"), "bash"));
        String named = invocation("visit", "hello").replaceFirst("\\{", "{\"requestId\": \"visit-1\", ");
        seen(200, checked.send(admin, INVOKE, named, "say"));
        String step = "?sessionId=visit&taskId=t&stepId=s";
        seen(200, checked.ask(admin, COLLECT + step, "say", "visit-1"));
        seen(404, checked.ask(admin, COLLECT + step, "say", "never"));
        seen(400, checked.ask(admin, COLLECT, "say", "visit-1"));
        seen(403, checked.ask(server.as(FIRST, Role.AUDITOR), COLLECT + step, "say", "visit-1"));
        admin.put("/api/v1/permissions/visitor/say", "{\"allowed\": true, \"requires_approval\": true}");
        Client later = admin.with("Prefer", "respond-async");
        seen(202, checked.send(later, INVOKE, named.replace("visit-1", "visit-2"), "say"));
        seen(202, checked.ask(admin, COLLECT + step, "say", "visit-2"));
    }

    private Reply execute(Client client, String tool, String text) {
        return checked.send(client, "POST /execute-tool", """
                {"tool": "%s", "args": {"text": "%s"}, "correlationId": "c"}""".formatted(tool, text));
    }

    private static String invocation(String session, String text) {
        return """
                {"sessionId": "%s", "taskId": "t", "stepId": "s", "toolName": "say", "arguments": {"text": "%s"}}""".formatted(session, text);
    }

    private static Reply seen(int status, Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        return reply;
    }
}
