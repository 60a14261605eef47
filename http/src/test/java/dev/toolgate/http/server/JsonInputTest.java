package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class JsonInputTest {
    enum Colour {
        RED,
        DARK_BLUE
    }

    record Part(String name, @Nullable Integer count) {}

    record Order(
            AgentId agentId,
            int limit,
            @Nullable Boolean urgent,
            @Nullable Long size,
            @Nullable Double price,
            @Nullable Colour colour,
            @Nullable Instant expiresAt,
            @Nullable List<Part> parts,
            @Nullable Map<String, String> labels,
            @Nullable ObjectNode parameters) {
        Order {
            if (limit < 0) {
                throw new IllegalArgumentException("The limit must not be negative.");
            }
        }
    }

    private static final JsonRecord<Order> ORDER = JsonRecord.of(Order.class);
    private static final LiveServer SERVER = new LiveServer(
            LiveServer.defaults(),
            Route.post("/echo", RouteAccess.open(), Dialect.STANDARD, exchange -> Response.json(exchange.json())),
            Route.post(
                    "/order",
                    RouteAccess.open(),
                    Dialect.STANDARD,
                    exchange -> Response.json(JsonNodeFactory.instance
                            .objectNode()
                            .put("read", exchange.json(ORDER).toString()))));

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static void assertRefused(HttpResponse<String> response, String message) {
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("INVALID_REQUEST");
        assertThat(LiveServer.error(response).path("message").asString()).isEqualTo(message);
        assertThat(response.body()).doesNotContain("Exception").doesNotContain("jackson");
        assertThat(SERVER.post("/echo", "{}").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\":[1,2.5,true,null,\"é😀\"],\"b\":{\"c\":-1}}",
                "{\"n\":123456789012345678901234567890}",
            })
    void json_is_echoed_unchanged(String json) {
        assertThat(SERVER.post("/echo", json).body()).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\": | The body is not valid JSON (line 1, column 6).",
                "{'a':1} | The body is not valid JSON (line 1, column 2).",
                "{\"a\":NaN} | The body is not valid JSON (line 1, column 9).",
                "{\"a\":1,} | The body is not valid JSON (line 1, column 8).",
                "{\"a\":01} | The body is not valid JSON (line 1, column 7).",
                "/**/{} | The body is not valid JSON (line 1, column 1).",
                "[] | The body must be a JSON object.",
                "null | The body must be a JSON object.",
                "5 | The body must be a JSON object.",
                "'' | The body must be a JSON object.",
                "{\"a\":1e999} | The body has a number that is too large.",
            })
    void malformed_json_is_refused(String json, String message) {
        assertRefused(SERVER.post("/echo", json), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"a\":2}", "{\"x\":{\"a\":1,\"b\":2,\"a\":1}}", "{\"a\":1,\"\\u0061\":2}"})
    void a_field_that_occurs_twice_is_refused(String json) {
        assertThat(LiveServer.error(SERVER.post("/echo", json)).path("message").asString())
                .startsWith("The JSON has a duplicate field");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}{}", "{} 5", "{}]"})
    void anything_after_the_object_is_refused(String json) {
        HttpResponse<String> response = SERVER.post("/echo", json);
        assertThat(response.statusCode()).isEqualTo(400);
    }

    @Test
    void ten_thousand_levels_are_refused() {
        String deep = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
        assertThat(LiveServer.error(SERVER.post("/echo", deep)).path("message").asString())
                .startsWith("The JSON exceeds the limits: at most 200 levels");
        String arrays = "{\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
        assertThat(SERVER.post("/echo", arrays).statusCode()).isEqualTo(400);
    }

    @Test
    void huge_numbers_are_refused() {
        assertThat(SERVER.post("/echo", "{\"a\":" + "9".repeat(10_000) + "}").statusCode())
                .isEqualTo(400);
        assertThat(SERVER.post("/echo", "{\"a\":0." + "9".repeat(10_000) + "}").statusCode())
                .isEqualTo(400);
        assertThat(SERVER.post("/echo", "{\"a\":1e" + "9".repeat(500) + "}").statusCode())
                .isEqualTo(400);
    }

    @Test
    void invalid_utf8_is_refused() {
        byte[][] bodies = {
            {'{', '"', (byte) 0xff, '"', ':', '1', '}'}, // never a byte of UTF-8
            {'{', '"', (byte) 0xc0, (byte) 0x80, '"', ':', '1', '}'}, // overlong
            {'{', '"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"', ':', '1', '}'}, // unpaired surrogate
            {'{', '"', (byte) 0xe2, (byte) 0x82, '"', ':', '1', '}'}, // cut off
            "{\"a\":1}".getBytes(StandardCharsets.UTF_16),
            "{\"a\":1}".getBytes(StandardCharsets.UTF_16LE),
            "{\"a\":1}".getBytes(StandardCharsets.UTF_16BE),
        };
        for (byte[] body : bodies) {
            assertRefused(SERVER.post("/echo", body), "The body is not valid UTF-8.");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/json; charset=utf-16",
                "application/jsonx",
                "application/x-www-form-urlencoded",
            })
    void other_media_types_are_refused(String type) {
        HttpResponse<String> response =
                SERVER.send(SERVER.request("/echo").header("Content-Type", type).POST(BodyPublishers.ofString("{}")));
        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("INVALID_REQUEST");
    }

    @Test
    void charset_utf8_is_accepted_and_compression_is_not() {
        assertThat(SERVER.send(SERVER.request("/echo")
                                .header("Content-Type", "Application/JSON; charset=UTF-8")
                                .POST(BodyPublishers.ofString("{}")))
                        .statusCode())
                .isEqualTo(200);
        assertThat(SERVER.send(SERVER.request("/echo")
                                .header("Content-Type", "application/json")
                                .header("Content-Encoding", "gzip")
                                .POST(BodyPublishers.ofString("{}")))
                        .statusCode())
                .isEqualTo(415);
        assertThat(SERVER.send(SERVER.request("/echo").POST(BodyPublishers.ofString("{}")))
                        .statusCode())
                .isEqualTo(415);
    }

    @Test
    void a_record_is_read_with_all_components() {
        String json = """
                {"agent_id": "dev", "limit": 5, "urgent": true, "size": 12345678901, "price": 1,
                 "colour": "dark_blue", "expires_at": "2026-01-31T12:00:00Z",
                 "parts": [{"name": "a"}, {"name": "b", "count": 2}], "labels": {"k": "v"}, "parameters": {"x": [1]}}""";
        assertThat(SERVER.post("/order", json).body())
                .contains("Order[agentId=dev, limit=5, urgent=true, size=12345678901, price=1.0, colour=DARK_BLUE, "
                        + "expiresAt=2026-01-31T12:00:00Z, parts=[Part[name=a, count=null], Part[name=b, count=2]], "
                        + "labels={k=v}, parameters={\\\"x\\\":[1]}]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"limit\":5} | Missing required field: agent_id.",
                "{\"agent_id\":null,\"limit\":5} | Missing required field: agent_id.",
                "{\"agent_id\":\"a\"} | Missing required field: limit.",
                "{\"agent_id\":7,\"limit\":5} | Field 'agent_id' must be text, not a whole number.",
                "{\"agent_id\":\"a\",\"limit\":\"5\"} | Field 'limit' must be a whole number, not text.",
                "{\"agent_id\":\"a\",\"limit\":5.5} | Field 'limit' must be a whole number, not a number with a fraction.",
                "{\"agent_id\":\"a\",\"limit\":99999999999} | Field 'limit' is a number out of range.",
                "{\"agent_id\":\"a\",\"limit\":-1} | The limit must not be negative.",
                "{\"agent_id\":\"a\",\"limit\":5,\"urgent\":\"true\"} | Field 'urgent' must be true or false, not text.",
                "{\"agent_id\":\"a\",\"limit\":5,\"urgent\":1} | Field 'urgent' must be true or false, not a whole number.",
                "{\"agent_id\":\"a\",\"limit\":5,\"colour\":\"RED\"} | Field 'colour' must be one of red, dark_blue.",
                "{\"agent_id\":\"a\",\"limit\":5,\"colour\":0} | Field 'colour' must be one of red, dark_blue.",
                "{\"agent_id\":\"a\",\"limit\":5,\"expires_at\":1} | Field 'expires_at' must be a time such as 2026-01-31T12:00:00Z.",
                "{\"agent_id\":\"a\",\"limit\":5,\"expires_at\":\"soon\"} | Field 'expires_at' must be a time such as 2026-01-31T12:00:00Z.",
                "{\"agent_id\":\"a\",\"limit\":5,\"parts\":{}} | Field 'parts' must be a list, not an object.",
                "{\"agent_id\":\"a\",\"limit\":5,\"parts\":[{\"name\":\"x\"},{}]} | Missing required field: parts[1].name.",
                "{\"agent_id\":\"a\",\"limit\":5,\"parts\":[null]} | Field 'parts[0]' must be an object, not null.",
                "{\"agent_id\":\"a\",\"limit\":5,\"parts\":[{\"name\":\"x\",\"size\":1}]} | Unknown field 'parts[0].size'; known fields are [name, count].",
                "{\"agent_id\":\"a\",\"limit\":5,\"labels\":{\"k\":1}} | Field 'labels.k' must be text, not a whole number.",
                "{\"agent_id\":\"a\",\"limit\":5,\"parameters\":[]} | Field 'parameters' must be an object, not a list.",
            })
    void invalid_fields_are_refused_by_name(String json, String message) {
        assertRefused(SERVER.post("/order", json), message);
    }

    @Test
    void an_invalid_id_is_refused_by_field_name() {
        assertThat(LiveServer.error(SERVER.post("/order", "{\"agent_id\":\" \",\"limit\":5}"))
                        .path("message")
                        .asString())
                .startsWith("Field 'agent_id': ")
                .endsWith("must be 1 to 100 printable characters.");
    }

    @Test
    void unknown_fields_are_refused_by_name() {
        assertThat(LiveServer.error(SERVER.post("/order", "{\"agent_id\":\"a\",\"limit\":5,\"agentId\":\"b\"}"))
                        .path("message")
                        .asString())
                .startsWith("Unknown field 'agentId'; known fields are [agent_id, limit,");
    }

    record Unreadable(Thread thread) {}

    @Test
    void types_that_cannot_be_read_are_refused_before_any_request() {
        assertThatThrownBy(() -> JsonRecord.of(Unreadable.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("JSON cannot be read into a java.lang.Thread.");
    }

    @Test
    void field_names_can_be_kept_as_written() {
        record Camel(String agentId) {}
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("agentId", "a");
        assertThat(JsonRecord.of(Camel.class, FieldNames.AS_WRITTEN).read(json)).isEqualTo(new Camel("a"));
    }
}
