package dev.toolgate.server.admin.review;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ConditionCheckRouteTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client auditor;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        auditor = server.as(FIRST, Role.AUDITOR);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static Reply check(String condition, String... examples) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("condition", condition);
        for (String example : examples) {
            body.withArray("/examples").add(Json.MAPPER.readTree(example));
        }
        return auditor.post("/api/v1/conditions/check", body.toString());
    }

    @Test
    void every_mistake_has_its_position() {
        JsonNode review =
                check("agent == 'a' &&\n  colour == 'red' && taste == 'sweet'").json();

        assertThat(review.path("valid").asBoolean()).isFalse();
        assertThat(review.path("mistakes")).hasSize(2);
        assertThat(review.at("/mistakes/0/message").asString()).contains("colour");
        assertThat(review.at("/mistakes/0/line").asInt()).isEqualTo(2);
        assertThat(review.at("/mistakes/0/column").asInt()).isEqualTo(3);
        assertThat(review.at("/mistakes/1/column").asInt()).isEqualTo(22);
        assertThat(check(" ").json().at("/mistakes/0/message").asString()).contains("empty");
        assertThat(check("params.list.exists(x, [x, x] == [1])")
                        .json()
                        .at("/mistakes/0/column")
                        .asInt())
                .isGreaterThan(1);
    }

    @Test
    void examples_are_true_false_or_an_error_without_values() {
        JsonNode review = check(
                        "params.path.startsWith('src/')",
                        "{\"params\": {\"path\": \"src/a\"}}",
                        "{\"params\": {\"path\": \"hush-7f3a\"}}",
                        "{\"params\": {\"path\": 5}}",
                        "{\"colour\": \"hush-7f3a\"}")
                .json();

        assertThat(review.path("examples").findValuesAsString("result"))
                .containsExactly("true", "false", "error", "error");
        assertThat(review.toString()).doesNotContain("hush-7f3a");
    }

    @Test
    void size_and_evaluation_cost_are_limited() {
        assertThat(check("a".repeat(2001)).status()).isEqualTo(400);
        assertThat(check("true", Collections.nCopies(51, "{}").toArray(String[]::new))
                        .status())
                .isEqualTo(400);
        String list = "[" + "1,".repeat(999) + "1]";
        JsonNode review = check(
                        "params.l.all(a, params.l.all(b, params.l.all(c, a + b + c > 0)))",
                        "{\"params\": {\"l\": " + list + "}}")
                .json();
        assertThat(review.at("/examples/0/problem").asString()).contains("too many loop iterations");
        assertThat(check("(".repeat(1000)).json().path("valid").asBoolean()).isFalse();
    }
}
