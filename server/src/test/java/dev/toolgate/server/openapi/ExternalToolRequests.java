package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;

/** Requests about tools that run elsewhere: registering them, permits and reports. */
final class ExternalToolRequests extends DocumentedRequests {
    private static final String ALL = "/api/v1/tools/external";
    private static final String ONE = ALL + "/{external_tool}";
    private static final String AUTHORIZE = "POST /api/v1/tools/authorize";
    private static final String HOOK = "POST /hooks/claude-code";
    private static final String REPORT = "POST /api/v1/calls/{request_id}/outcome";
    private static final String TOOL = """
            {"description": "Deploys.", "danger": "safe",
             "input_schema": {"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]}}""";

    ExternalToolRequests(RunningServer server, CheckedClient checked) {
        super(server, checked);
    }

    /** Gives the agent "example" a permit. */
    Reply permit(String request) {
        ask("PUT " + ONE, TOOL, "deploy_example");
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "example", "deploy_example");
        return ask(AUTHORIZE, call(request, "example", "deploy_example", "{\"host\": \"a\"}"));
    }

    void all() {
        seen(201, ask("PUT " + ONE, TOOL, "deploy"));
        seen(200, ask("PUT " + ONE, TOOL, "deploy"));
        seen(409, ask("PUT " + ONE, TOOL, "bash"));
        seen(400, ask("PUT " + ONE, "{\"description\": \"x\", \"input_schema\": {\"$ref\": \"http://x\"}}", "other"));
        seen(400, ask("PUT " + ONE, TOOL, "-"));
        seen(200, checked.ask(admin, "GET " + ALL));
        seen(200, checked.ask(admin, "GET " + ONE, "deploy"));
        seen(404, checked.ask(admin, "GET " + ONE, "none"));
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "caller", "deploy");
        Reply permit = seen(200, ask(AUTHORIZE, call("x1", "caller", "deploy", "{\"host\": \"a\"}")));
        assertThat(permit.json().path("outcome").asString()).isEqualTo("authorized");
        seen(409, ask(AUTHORIZE, call("x1", "caller", "deploy", "{\"host\": \"b\"}")));
        seen(200, ask(AUTHORIZE, call("x2", "caller", "deploy", "{}")));
        seen(403, ask(AUTHORIZE, call("x3", "stranger", "deploy", "{\"host\": \"a\"}")));
        seen(400, ask(AUTHORIZE, "{}"));
        seen(404, ask(AUTHORIZE, """
                {"request_id": "x5", "agent_id": "caller", "tool_name": "deploy", "operation": "call", "parameters": {},
                 "session_id": "never"}"""));
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "second", "deploy");
        seen(200, ask(AUTHORIZE, call("x6", "caller", "deploy", "{\"host\": \"a\"}")));
        seen(200, ask(AUTHORIZE, call("x6", "second", "deploy", "{\"host\": \"a\"}")));
        seen(409, ask(REPORT, "{\"status\": \"succeeded\"}", "x6"));
        seen(200, checked.ask(admin, "GET /api/v1/calls/{request_id}", "x1"));
        seen(400, ask(REPORT, "{\"status\": \"perhaps\"}", "x1"));
        seen(404, ask(REPORT, "{\"status\": \"succeeded\"}", "forged"));
        seen(
                403,
                checked.send(
                        server.as(RunningServer.FIRST, Role.AUDITOR), REPORT, "{\"status\": \"succeeded\"}", "x1"));
        seen(200, ask(REPORT, "{\"status\": \"failed\", \"error\": \"no host\", \"output\": {\"half\": 1}}", "x1"));
        seen(200, ask(REPORT, "{\"status\": \"succeeded\", \"output\": \"done\"}", "x1"));
        seen(200, checked.ask(admin, "GET /api/v1/calls/{request_id}", "x1"));
        ask(
                "PUT /api/v1/permissions/{agent_id}/{tool_name}",
                "{\"allowed\": true, \"requires_approval\": true}",
                "careful",
                "deploy");
        seen(
                202,
                checked.send(
                        admin.with("Prefer", "respond-async"),
                        AUTHORIZE,
                        call("x4", "careful", "deploy", "{\"host\": \"a\"}")));
        hook();
        seen(204, checked.ask(admin, "DELETE " + ONE, "deploy"));
        seen(404, checked.ask(admin, "DELETE " + ONE, "deploy"));
    }

    private void hook() {
        ask("PUT " + ONE, "{\"description\": \"Runs.\", \"input_schema\": {\"type\": \"object\"}}", "claude-code:Bash");
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "caller", "claude-code:Bash");
        Client caller = admin.with("X-Agent-ID", "caller");
        assertThat(seen(200, checked.send(caller, HOOK, event("PreToolUse"))).text())
                .contains("\"allow\"");
        assertThat(seen(200, checked.send(caller, HOOK, event("PostToolUse"))).text())
                .isEqualTo("{}");
        assertThat(seen(200, checked.send(caller, HOOK, event("PostToolUse"))).text())
                .contains("systemMessage");
        assertThat(seen(200, checked.send(admin, HOOK, event("PreToolUse"))).text())
                .contains("\"deny\"");
        seen(403, checked.send(admin, HOOK, event("PostToolUseFailure")));
        seen(400, checked.send(caller, HOOK, event("Stop")));
        codexAndCursor(caller);
    }

    private void codexAndCursor(Client caller) {
        for (String tool : new String[] {"codex:Bash", "cursor:Shell"}) {
            ask("PUT " + ONE, "{\"description\": \"Runs.\", \"input_schema\": {\"type\": \"object\"}}", tool);
            ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "caller", tool);
        }
        String codex = "POST /hooks/codex";
        assertThat(seen(200, checked.send(caller, codex, event("PreToolUse"))).text())
                .isEqualTo("{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\"}}");
        assertThat(seen(200, checked.send(caller, codex, event("PostToolUse"))).text())
                .isEqualTo("{}");
        assertThat(seen(200, checked.send(caller, codex, event("PostToolUse"))).text())
                .contains("systemMessage");
        assertThat(seen(200, checked.send(admin, codex, event("PreToolUse"))).text())
                .contains("\"deny\"");
        seen(403, checked.send(admin, codex, event("PostToolUse")));
        seen(400, checked.send(caller, codex, event("PostToolUseFailure")));

        String cursor = "POST /hooks/cursor";
        assertThat(seen(200, checked.send(caller, cursor, cursorEvent("preToolUse")))
                        .text())
                .isEqualTo("{\"permission\":\"allow\"}");
        assertThat(seen(200, checked.send(caller, cursor, cursorEvent("postToolUse")))
                        .text())
                .isEqualTo("{}");
        assertThat(seen(200, checked.send(caller, cursor, cursorEvent("postToolUse")))
                        .text())
                .contains("additional_context");
        assertThat(seen(200, checked.send(admin, cursor, cursorEvent("preToolUse")))
                        .text())
                .contains("\"deny\"");
        seen(403, checked.send(admin, cursor, cursorEvent("postToolUseFailure")));
        seen(400, checked.send(caller, cursor, cursorEvent("stop")));
    }

    private static String cursorEvent(String name) {
        return """
                {"conversation_id": "c", "generation_id": "g", "hook_event_name": "%s", "tool_name": "Shell",
                 "tool_input": {"command": "ls"}, "tool_use_id": "abc123", "tool_output": "{}", "duration": 3}""".formatted(name);
    }

    private static String event(String name) {
        return """
                {"session_id": "s", "hook_event_name": "%s", "tool_name": "Bash", "tool_input": {"command": "ls"},
                 "tool_use_id": "toolu_hook", "tool_response": {"stdout": ""}, "duration_ms": 3}""".formatted(name);
    }

    private static String call(String request, String agent, String tool, String parameters) {
        return """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "%s", "operation": "call", "parameters": %s,
                 "tool_call_id": "toolu_1", "source": "test/1", "expires_in": 60}""".formatted(request, agent, tool, parameters);
    }
}
