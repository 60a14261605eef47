package dev.toolgate.server.openapi;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.chat.ChatClient;
import dev.toolgate.server.door.PolicySession;
import java.util.Map;

/** Asks everything of the doors beside the access API that they answer. */
final class Doors {
    private static final String SESSIONS = "/api/v1/sessions";
    private static final String ONE = SESSIONS + "/{session_id}";
    private static final String INVOKE = "POST /tools/{tool_name}/invoke";
    private static final String COLLECT = "GET /tools/{tool_name}/invocations/{request_id}";

    private final RunningServer server;
    private final Visits visits;
    private final Client admin;

    Doors(RunningServer server, Visits visits) {
        this.server = server;
        this.visits = visits;
        this.admin = server.admin();
    }

    void all() {
        admin.post("/api/v1/agents", "{\"agent_id\": \"visitor\"}");
        admin.put("/api/v1/permissions/visitor/say", "{\"allowed\": true}");
        admin.put("/api/v1/permissions/visitor/gone", "{\"allowed\": true}");
        toolBackend(admin.with("X-Agent-ID", "visitor"));
        sessions();
        invocations();
        conversations();
    }

    private void conversations() {
        seen(426, visits.ask(admin, "GET /ws"));
        seen(400, visits.ask(admin, "GET /ws?colour=red"));
        seen(403, visits.ask(admin.with("Origin", "http://elsewhere.example"), "GET /ws"));
        try (ChatClient client = ChatClient.connect(server.url(), server.key(FIRST, Role.ADMIN, null))) {
            client.await("connection:status");
            visits.upgraded("GET /ws");
        }
    }

    private void toolBackend(Client visitor) {
        seen(200, visits.ask(visitor, "GET /tools"));
        seen(403, visits.ask(server.as(FIRST, Role.AUDITOR), "GET /tools"));
        seen(404, visits.ask(visitor, "GET /tools?sessionId=never"));
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
        seen(201, visits.send(admin, "POST " + SESSIONS, wanted));
        seen(409, visits.send(admin, "POST " + SESSIONS, wanted));
        seen(400, visits.send(admin, "POST " + SESSIONS, wanted.replace("\"1.0\"", "\"0.9\"")));
        seen(403, visits.send(admin, "POST " + SESSIONS, wanted.replace("2099", "1999")));
        seen(201, visits.send(admin, "POST " + SESSIONS, wanted.replace("\"visit\"", "\"visit/2\"")));
        assertThat(seen(200, visits.ask(admin, "GET " + SESSIONS + "?limit=1")).next())
                .isPresent();
        seen(200, visits.ask(admin, "GET " + ONE, "visit/2"));
        seen(404, visits.ask(admin, "GET " + ONE, "never"));
        seen(200, visits.ask(admin, "GET " + ONE + "/changes", "visit/2"));
        seen(404, visits.ask(admin, "GET " + ONE + "/changes", "never"));
        seen(204, visits.ask(admin, "DELETE " + ONE, "visit/2"));
        seen(404, visits.ask(admin, "DELETE " + ONE, "visit/2"));
        seen(403, visits.ask(server.as(FIRST, Role.AUDITOR), "DELETE " + ONE, "visit"));
        seen(200, visits.ask(admin, "GET " + SESSIONS));
    }

    private void invocations() {
        for (String text : new String[] {"hello", "TOOL_EXECUTION_FAILED"}) {
            seen(200, visits.send(admin, INVOKE, invocation("visit", text), "say"));
        }
        seen(200, visits.send(admin, INVOKE, invocation("never", "hello"), "say"));
        seen(409, visits.send(admin, INVOKE, invocation("visit", "hello"), "bash"));
        String named = invocation("visit", "hello").replaceFirst("\\{", "{\"requestId\": \"visit-1\", ");
        seen(200, visits.send(admin, INVOKE, named, "say"));
        String step = "?sessionId=visit&taskId=t&stepId=s";
        seen(200, visits.ask(admin, COLLECT + step, "say", "visit-1"));
        seen(404, visits.ask(admin, COLLECT + step, "say", "never"));
        seen(400, visits.ask(admin, COLLECT, "say", "visit-1"));
        seen(403, visits.ask(server.as(FIRST, Role.AUDITOR), COLLECT + step, "say", "visit-1"));
        admin.put("/api/v1/permissions/visitor/say", "{\"allowed\": true, \"requires_approval\": true}");
        Client later = admin.with("Prefer", "respond-async");
        seen(202, visits.send(later, INVOKE, named.replace("visit-1", "visit-2"), "say"));
        seen(202, visits.ask(admin, COLLECT + step, "say", "visit-2"));
    }

    private Reply execute(Client client, String tool, String text) {
        return visits.send(client, "POST /execute-tool", """
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
