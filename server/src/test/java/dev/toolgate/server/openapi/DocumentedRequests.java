package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;

/** Sends requests for a part of the API and checks each response against the document. */
abstract class DocumentedRequests {
    final RunningServer server;
    final CheckedClient checked;
    final Client admin;

    DocumentedRequests(RunningServer server, CheckedClient checked) {
        this.server = server;
        this.checked = checked;
        this.admin = server.admin();
    }

    final Reply ask(String name, String body, String... places) {
        return checked.send(admin, name, body, places);
    }

    final Reply execute(Client client, String request, String agent, String tool, String parameters) {
        return checked.send(client, "POST /api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "%s", "operation": "test", "parameters": %s}""".formatted(request, agent, tool, parameters));
    }

    static Reply seen(int status, Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        return reply;
    }
}
