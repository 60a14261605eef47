package dev.toolgate.server.openapi;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Right;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks everything that the document lists in every way that it says is refused. */
final class Refused {
    private static final String[] PLACES = {"somebody", "something"};

    private final RunningServer server;
    private static final Set<String> IGNORING_MORE = Set.of("POST /execute-tool", "POST /tools/{tool_name}/invoke");

    private final Contract contract;
    private final Visits visits;

    Refused(RunningServer server, Contract contract, Visits visits) {
        this.server = server;
        this.contract = contract;
        this.visits = visits;
    }

    void everywhere() throws Exception {
        for (Contract.Operation operation : contract.operations()) {
            unknownParameter(operation);
            JsonNode security = contract.security(operation);
            if (!security.isEmpty()) {
                expect(401, visits.ask(server.anonymous(), operation.name(), PLACES));
            }
            if (!security.at("/0/bearer").isEmpty()) {
                without(security.at("/0/bearer/0").asString())
                        .ifPresent(role -> expect(403, visits.ask(server.as(FIRST, role), operation.name(), PLACES)));
            }
            if (operation.takesJson()) {
                expect(415, visits.ask(server.admin(), operation.name(), PLACES));
                unknownField(operation);
                missingFields(operation);
                visits.check(operation, OverlargeBody.send(server, operation));
            }
        }
    }

    /** The humblest role that lacks a right; there is none if everybody has it. */
    private static Optional<Role> without(String right) {
        return Arrays.asList(Role.values()).reversed().stream()
                .filter(role -> !role.may(Right.valueOf(right.toUpperCase(Locale.ROOT))))
                .findFirst();
    }

    private void unknownParameter(Contract.Operation operation) {
        Reply reply = visits.ask(server.admin(), operation.name() + "?colour=red", PLACES);
        expect(400, reply);
        contract.parameters(operation, "query").keySet().forEach(name -> assertThat(reply.message())
                .contains(name));
    }

    /** The server tells which fields it knows: exactly those of the document, unless that allows more. */
    private void unknownField(Contract.Operation operation) {
        ObjectNode body = (ObjectNode) contract.bodyExample(operation).deepCopy();
        Reply reply = visits.send(
                server.admin(), operation.name(), body.put("colour", "red").toString(), PLACES);
        if (IGNORING_MORE.contains(operation.name())) {
            assertThat(reply.text()).doesNotContain("Unknown field");
            return;
        }
        expect(400, reply);
        String list = reply.message().replaceFirst(".*known fields are \\[(.*)]\\.$", "$1");
        assertThat(Set.of(list.split(", ", -1)))
                .as("%s: %s", operation.name(), reply)
                .isEqualTo(fields(contract.bodySchema(operation)));
    }

    private Set<String> fields(JsonNode schema) {
        JsonNode resolved = contract.resolved(schema);
        Set<String> names = new TreeSet<>(resolved.path("properties").propertyNames());
        resolved.path("allOf").forEach(part -> names.addAll(fields(part)));
        return names;
    }

    /** What the document requires the server does, and nothing else. */
    private void missingFields(Contract.Operation operation) {
        JsonNode schema = contract.resolved(contract.bodySchema(operation));
        List<String> required =
                schema.path("required").valueStream().map(JsonNode::asString).toList();
        ObjectNode body = (ObjectNode) contract.bodyExample(operation);
        for (String field : body.propertyNames()) {
            ObjectNode without = (ObjectNode) Json.MAPPER.readTree(body.toString());
            without.remove(field);
            Reply reply = visits.send(server.admin(), operation.name(), without.toString(), PLACES);
            String missing = "Missing required field: " + field;
            assertThat(reply.text().contains(missing))
                    .as("%s without %s: %s", operation.name(), field, reply)
                    .isEqualTo(required.contains(field));
        }
    }

    private static void expect(int status, Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
    }
}
