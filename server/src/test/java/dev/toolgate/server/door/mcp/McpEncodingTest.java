package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static dev.toolgate.server.door.mcp.McpTestClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.server.Reply;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The outcome of an approved call is not lost if the pictures in it cannot be read while it is encoded. */
class McpEncodingTest extends HeldMcpFixture {
    private final AtomicInteger drawn = new AtomicInteger();

    @Override
    String holdFor() {
        return "1s";
    }

    @Override
    Tool<?>[] tools() {
        return new Tool<?>[] {sayTool(), new CountedDraw()};
    }

    private final class CountedDraw implements Tool<ObjectNode> {
        private final ServerSources.Draw draw = new ServerSources.Draw();

        @Override
        public ToolSpec<ObjectNode> spec() {
            return draw.spec();
        }

        @Override
        public Optional<ObjectNode> listedAs() {
            return draw.listedAs();
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) {
            drawn.incrementAndGet();
            return draw.call(arguments, context);
        }
    }

    @BeforeAll
    void grant() {
        server.admin()
                .put("/api/v1/permissions/agent_1/art%2Fdraw", "{\"allowed\": true, \"requires_approval\": true}");
    }

    @AfterEach
    void repair() {
        sql("DROP FUNCTION IF EXISTS unreachable CASCADE"); // with the view
        sql("ALTER TABLE IF EXISTS away RENAME TO artifacts");
    }

    private void sql(String statement) {
        server.database().jdbi().useHandle(handle -> handle.execute(statement));
    }

    private void runApproved(McpTestClient client, String subject) {
        int before = drawn.get();
        assertThat(text(draw(client, subject))).contains("a person must approve");
        answer(subject, "true");
        await().until(() -> server.admin()
                .get("/api/v1/audit/logs?tool_name=art%2Fdraw&limit=100")
                .json()
                .valueStream()
                .anyMatch(entry -> entry.toString().contains(subject)
                        && entry.path("allowed").asBoolean()));
        assertThat(drawn).hasValue(before + 1);
    }

    private static Reply draw(McpTestClient client, String subject) {
        return client.call("art__draw", "{\"subject\": \"" + subject + "\"}");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_picture_that_cannot_be_reached_is_a_link_in_the_outcome(Era era) {
        McpTestClient client = McpTestClient.of(agent, era);
        String subject = fresh();
        runApproved(client, subject);
        int before = drawn.get();
        sql("ALTER TABLE artifacts RENAME TO away");
        sql("""
                CREATE FUNCTION unreachable() RETURNS SETOF away LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'starting up' USING ERRCODE = '57P03'; END $$""");
        sql("CREATE VIEW artifacts AS SELECT * FROM unreachable()");

        JsonNode content = result(draw(client, subject)).path("content");

        assertThat(content.get(0).path("text").asString()).isEqualTo("first");
        assertThat(content.get(1).path("type").asString()).isEqualTo("resource_link");
        assertThat(drawn).hasValue(before);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_outcome_that_could_not_be_encoded_is_collected_later(Era era) {
        McpTestClient client = McpTestClient.of(agent, era);
        String subject = fresh();
        runApproved(client, subject);
        int before = drawn.get();
        sql("ALTER TABLE artifacts RENAME TO away");
        assertThat(draw(client, subject).text()).contains("-32603").doesNotContain("nothing was done");
        repair();

        JsonNode content = result(draw(client, subject)).path("content");

        assertThat(content.get(1).path("type").asString()).isEqualTo("image");
        assertThat(drawn).hasValue(before);
        assertThat(text(draw(client, subject))).contains("a person must approve");
    }
}
