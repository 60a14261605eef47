package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A client that checks every response against the document and keeps which responses were seen. */
final class CheckedClient {
    /** Statuses that operations need not list. */
    private static final Set<Integer> ANYWHERE = Set.of(408, 414, 429, 431, 500, 503);

    private static final List<String> TELLING = List.of(
            "Link",
            "Location",
            "Set-Cookie",
            "WWW-Authenticate",
            "Retry-After",
            "Content-Disposition",
            "Content-Range",
            "ETag");
    private static final Pattern PLACE = Pattern.compile("\\{[a-z_]+}");

    private final Contract contract;
    private final Set<String> seen = new TreeSet<>();

    CheckedClient(Contract contract) {
        this.contract = contract;
    }

    /**
     * Sends a request without a body.
     *
     * @param name an operation such as {@code GET /api/v1/agents/{agent_id}}, perhaps with a query
     * @param places the values of the path parameters
     */
    Reply ask(Client client, String name, String... places) {
        return send(client, name, null, places);
    }

    /** Sends a request with a body; an accepted body must be valid by the document. */
    Reply send(Client client, String name, @Nullable String body, String... places) {
        int query = name.indexOf('?');
        Contract.Operation operation = contract.operation(query < 0 ? name : name.substring(0, query));
        Reply reply = client.send(
                operation.method(), filled(operation.path(), places) + (query < 0 ? "" : name.substring(query)), body);
        check(operation, reply);
        if (body != null && reply.status() < 300) {
            assertThat(contract.complaints(contract.bodySchema(operation), Json.MAPPER.readTree(body)))
                    .as("%s took %s", operation.name(), body)
                    .isEmpty();
        }
        return reply;
    }

    /** Posts a body that is not JSON. */
    Reply upload(Client client, String name, String text, String... places) {
        int query = name.indexOf('?');
        Contract.Operation operation = contract.operation(query < 0 ? name : name.substring(0, query));
        Reply reply = client.upload(
                filled(operation.path(), places) + (query < 0 ? "" : name.substring(query)),
                "text/csv",
                BodyPublishers.ofString(text));
        check(operation, reply);
        return reply;
    }

    /** Notes that a WebSocket was opened. */
    void upgraded(String name) {
        assertThat(contract.operation(name).node().path("responses").has("101")).isTrue();
        seen.add(name + " 101");
    }

    /** Notes that a stream was opened. */
    void began(String name, int status) {
        assertThat(contract.operation(name).node().path("responses").has(Integer.toString(status)))
                .isTrue();
        seen.add(name + " " + status);
    }

    /** The responses seen, as operation and status. */
    Set<String> seen() {
        return seen;
    }

    static String filled(String path, String... places) {
        Iterator<String> values = List.of(places).iterator();
        return PLACE.matcher(path)
                .replaceAll(_ -> Matcher.quoteReplacement(URLEncoder.encode(values.next(), StandardCharsets.UTF_8)));
    }

    void check(Contract.Operation operation, Reply reply) {
        String what = operation.name() + " answered " + reply;
        JsonNode responses = operation.node().path("responses");
        String status = Integer.toString(reply.status());
        assertThat(responses.has(status) || ANYWHERE.contains(reply.status()))
                .as(what)
                .isTrue();
        JsonNode documented =
                contract.resolved(responses.has(status) ? responses.path(status) : responses.path("default"));
        checkHeaders(what, documented.path("headers"), reply);
        checkBody(what, documented.path("content"), reply);
        seen.add(operation.name() + " " + status);
    }

    private void checkHeaders(String what, JsonNode documented, Reply reply) {
        assertThat(reply.header("X-Correlation-ID")).as(what).isPresent();
        assertThat(TELLING.stream().filter(name -> reply.header(name).isPresent()))
                .as(what)
                .allMatch(documented::has);
        documented.forEachEntry((name, node) -> {
            JsonNode header = contract.resolved(node);
            assertThat(reply.header(name).isPresent()
                            || !header.path("required").asBoolean(false))
                    .as("%s, without %s", what, name)
                    .isTrue();
            reply.header(name)
                    .ifPresent(value -> assertThat(contract.complaints(header.path("schema"), typed(header, value)))
                            .as("%s, with %s: %s", what, name, value)
                            .isEmpty());
        });
    }

    private static JsonNode typed(JsonNode header, String value) {
        boolean number = header.at("/schema/type").asString("").equals("integer");
        return number ? Json.MAPPER.readTree(value) : JsonNodeFactory.instance.stringNode(value);
    }

    private void checkBody(String what, JsonNode content, Reply reply) {
        if (content.isMissingNode()) {
            assertThat(reply.text()).as(what).isEmpty();
            return;
        }
        String type = reply.header("Content-Type").orElse("").split(";", -1)[0];
        assertThat(content.has(type)).as("%s, of type %s", what, type).isTrue();
        JsonNode value =
                type.equals("application/json") ? reply.json() : JsonNodeFactory.instance.stringNode(reply.text());
        assertThat(contract.complaints(content.path(type).path("schema"), value))
                .as(what)
                .isEmpty();
        if (type.equals("text/event-stream")) {
            DocumentedEvents.check(contract, content.path(type).path("x-event-schema"), reply.text());
        }
    }
}
