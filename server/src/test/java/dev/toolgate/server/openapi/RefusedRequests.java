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

/** Sends invalid requests of every documented kind to every operation. */
final class RefusedRequests {
    private static final String[] PLACES = {"somebody", "something"};

    private final RunningServer server;
    private static final Set<String> IGNORING_MORE = Set.of(
            "POST /execute-tool",
            "POST /tools/{tool_name}/invoke",
            "POST /mcp",
            "POST /hooks/claude-code",
            "POST /hooks/codex",
            "POST /hooks/cursor");

    /** Pages whose script reads the query, and one whose query another server writes. */
    private static final Set<String> WITH_ANY_QUERY =
            Set.of("GET /console/{page}", "GET /console/{page}/{name}", "GET /auth/oidc/callback");

    private final Contract contract;
    private final CheckedClient checked;

    RefusedRequests(RunningServer server, Contract contract, CheckedClient checked) {
        this.server = server;
        this.contract = contract;
        this.checked = checked;
    }

    void everywhere() throws Exception {
        for (Contract.Operation operation : contract.operations()) {
            unknownParameter(operation);
            JsonNode security = contract.security(operation);
            if (!security.isEmpty()) {
                expect(401, checked.ask(server.anonymous(), operation.name(), PLACES));
            }
            if (!security.at("/0/bearer").isEmpty()) {
                without(security.at("/0/bearer/0").asString())
                        .ifPresent(role -> expect(403, checked.ask(server.as(FIRST, role), operation.name(), PLACES)));
            }
            if (operation.takesJson()) {
                expect(415, checked.ask(server.admin(), operation.name(), PLACES));
                unknownField(operation);
                missingFields(operation);
                checked.check(operation, OverlargeBody.send(server, operation));
            }
        }
    }

    /** The least privileged role without a right; empty if all roles have it. */
    private static Optional<Role> without(String right) {
        return Arrays.asList(Role.values()).reversed().stream()
                .filter(role -> !role.may(Right.valueOf(right.toUpperCase(Locale.ROOT))))
                .findFirst();
    }

    private void unknownParameter(Contract.Operation operation) {
        Reply reply = checked.ask(server.admin(), operation.name() + "?colour=red", PLACES);
        if (WITH_ANY_QUERY.contains(operation.name())) {
            assertThat(reply.status()).as(reply.toString()).isIn(200, 302);
            return;
        }
        expect(400, reply);
        contract.parameters(operation, "query").keySet().forEach(name -> assertThat(reply.message())
                .contains(name));
    }

    /** The server's known fields must be those of the document, unless it allows more. */
    private void unknownField(Contract.Operation operation) {
        ObjectNode body = (ObjectNode) contract.bodyExample(operation).deepCopy();
        Reply reply = checked.send(
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

    /** The server must require exactly the documented fields. */
    private void missingFields(Contract.Operation operation) {
        JsonNode schema = contract.resolved(contract.bodySchema(operation));
        List<String> required =
                schema.path("required").valueStream().map(JsonNode::asString).toList();
        ObjectNode body = (ObjectNode) contract.bodyExample(operation);
        for (String field : body.propertyNames()) {
            ObjectNode without = (ObjectNode) Json.MAPPER.readTree(body.toString());
            without.remove(field);
            Reply reply = checked.send(server.admin(), operation.name(), without.toString(), PLACES);
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
