package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Checks what streams and sockets send by the schemas of the API document. */
public final class DocumentedEvents {
    private static final Contract CONTRACT = Contract.of(ApiDocument.read("of this test"));
    private static final String SOCKET = "GET /ws";

    private DocumentedEvents() {}

    /**
     * Checks the events of a stream.
     *
     * @param path of the request, perhaps with a query
     * @param text whole events
     */
    public static void check(String method, String path, String text) {
        JsonNode schema = CONTRACT.operation(method + " " + path.replaceFirst("\\?.*", ""))
                .node()
                .at("/responses/200/content/text~1event-stream/x-event-schema");
        check(CONTRACT, schema, text);
    }

    static void check(Contract contract, JsonNode eventSchema, String text) {
        assertThat(eventSchema.isMissingNode()).as("without a schema: %s", text).isFalse();
        parsed(text).forEach(event -> valid(contract, eventSchema, event));
    }

    /** Checks a message of the server over the socket of conversations. */
    public static void checkServerMessage(JsonNode message) {
        valid(CONTRACT, messages("server"), message);
    }

    /** Checks a message of a client over the socket of conversations. */
    public static void checkClientMessage(JsonNode message) {
        valid(CONTRACT, messages("client"), message);
    }

    private static JsonNode messages(String sender) {
        return CONTRACT.operation(SOCKET).node().path("x-websocket-messages").path(sender);
    }

    private static void valid(Contract contract, JsonNode schema, JsonNode value) {
        List<String> complaints;
        synchronized (CONTRACT) { // clients read in threads of their own
            complaints = contract.complaints(schema, value);
        }
        assertThat(complaints).as("by %s: %s", schema, value).isEmpty();
    }

    /** The types that a schema distinguishes, such as those of all messages of the server. */
    public static Set<String> types(String schema) {
        JsonNode mapping = CONTRACT.document().at("/components/schemas/" + schema + "/discriminator/mapping");
        return new TreeSet<>(mapping.propertyNames());
    }

    /** The events of a text as the document describes them: their data is JSON, except that of {@code cut}. */
    public static List<ObjectNode> parsed(String text) {
        List<ObjectNode> events = new ArrayList<>();
        for (String block : text.split("\n\n", -1)) {
            ObjectNode event = Json.MAPPER.createObjectNode();
            for (String line :
                    block.lines().filter(line -> !line.startsWith(":")).toList()) {
                String name = line.substring(0, line.indexOf(':'));
                String value = line.substring(name.length() + 1).strip();
                event.put(name, event.has(name) ? event.path(name).asString() + "\n" + value : value);
            }
            if (!event.isEmpty()) {
                String data = event.path("data").asString();
                boolean plain = event.path("event").asString("").equals("cut");
                event.set("data", plain ? JsonNodeFactory.instance.stringNode(data) : Json.MAPPER.readTree(data));
                events.add(event);
            }
        }
        return events;
    }
}
