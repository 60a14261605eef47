package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.chat.provider.OpenAiFrames;
import dev.toolgate.chat.provider.ScriptedServer;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** A whole server with a scripted model. */
public final class ChatTrial implements AutoCloseable {
    static final OpenAiFrames FRAMES = new OpenAiFrames();

    public final ScriptedServer model = new ScriptedServer();
    public final RunningServer server;

    private ChatTrial(Path home, Map<String, String> options, Tool<?>... tools) throws Exception {
        Map<String, String> all = new TreeMap<>(options);
        all.put("models.openai.base_url", model.address().toString());
        all.put("workspace", home.resolve("workspace").toString());
        server = RunningServer.start(home, all, tools);
    }

    public static ChatTrial start(Path home, Map<String, String> options, Tool<?>... tools) throws Exception {
        return new ChatTrial(home, options, tools);
    }

    /** An agent with grants for these tools. */
    public AgentId agent(String id, String trust, String... tools) {
        assertThat(server.admin()
                        .post("/api/v1/agents", "{\"agent_id\": \"" + id + "\", \"trust_level\": \"" + trust + "\"}")
                        .status())
                .isEqualTo(201);
        for (String tool : tools) {
            assertThat(server.admin()
                            .put("/api/v1/permissions/" + id + "/" + tool, "{\"allowed\": true}")
                            .status())
                    .isEqualTo(200);
        }
        return new AgentId(id);
    }

    ChatClient as(Role role) {
        return ChatClient.connect(server.url(), server.key(RunningServer.FIRST, role, null));
    }

    ChatClient as(AgentId agent) {
        return ChatClient.connect(server.url(), key(RunningServer.FIRST, agent));
    }

    public String key(TenantId tenant, AgentId agent) {
        return server.key(tenant, Role.AGENT, agent);
    }

    /** A message with the person's own provider key. */
    static ChatMessage message(String conversation, String content) {
        return ChatMessage.of(conversation, "openai", "model-of-tests", content).with("api_key", "sk-own-key-of-tests");
    }

    /** Scripts the model's answers, one per request. */
    public void says(Said... answers) {
        Iterator<Said> next = List.of(answers).iterator();
        model.does(talk -> {
            Said said;
            synchronized (next) {
                said = next.next();
            }
            talk.begin().send(said.frames()).end();
        });
    }

    /** Scripts an answer that starts with this text and then hangs until the client disconnects. */
    public void beginsToSay(String text) {
        model.does(talk -> talk.begin().send(words(text).frames().subList(0, 2)).hang());
    }

    /** One answer of the model, as frames. */
    public record Said(List<String> frames) {}

    public static Said words(String... pieces) {
        return new Said(FRAMES.text(List.of(pieces), new Usage(11, 5)));
    }

    public static Said calls(ToolCall... calls) {
        return new Said(FRAMES.calls(List.of(calls)));
    }

    public static ToolCall call(String id, String tool, String... namesAndValues) {
        var input = Json.MAPPER.createObjectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            input.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return new ToolCall(id, tool, input.toString());
    }

    /** The tools offered in the last request to the model. */
    List<String> offered() {
        List<String> names = new ArrayList<>();
        model.request()
                .json()
                .path("tools")
                .forEach(tool -> names.add(tool.path("function").path("name").asString()));
        return names;
    }

    /** The result of a tool call in the last request to the model. */
    public String toolResult(String toolId) {
        for (JsonNode message : model.request().json().path("messages")) {
            if (message.path("tool_call_id").asString("").equals(toolId)) {
                return message.path("content").asString();
            }
        }
        throw new AssertionError(
                "The model was not told of " + toolId + ": " + model.request().body());
    }

    /** The newest record of a tool. */
    JsonNode lastRecord(String tool) {
        return server.admin()
                .get("/api/v1/audit/logs?tool_name=" + tool + "&limit=1")
                .json()
                .path(0);
    }

    /** The matching audit records. */
    JsonNode records(String filter) {
        return server.admin().get("/api/v1/audit/logs?" + filter).json();
    }

    @Override
    public void close() throws IOException {
        server.close();
        model.close();
    }
}
