package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;

/** Asks for everything that a part of the server answers, and has each answer compared with the document. */
abstract class Visiting {
    final RunningServer server;
    final Visits visits;
    final Client admin;

    Visiting(RunningServer server, Visits visits) {
        this.server = server;
        this.visits = visits;
        this.admin = server.admin();
    }

    final Reply ask(String name, String body, String... places) {
        return visits.send(admin, name, body, places);
    }

    final Reply execute(Client client, String request, String agent, String tool, String parameters) {
        return visits.send(client, "POST /api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "%s", "operation": "test", "parameters": %s}""".formatted(request, agent, tool, parameters));
    }

    static Reply seen(int status, Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        return reply;
    }
}
