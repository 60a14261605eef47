package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** The whole server with models, a workspace and agents. */
final class AimockTrial implements AutoCloseable {
    /** The tools granted to agents; other calls are denied. */
    static final List<String> GRANTED = List.of("bash", "file_read", "file_write", "web_search");

    private final RunningServer server;
    private final Path workspace;
    private final String adminKey;
    private final List<ChatClient> clients = new ArrayList<>();
    private final AtomicInteger agents = new AtomicInteger();

    private AimockTrial(RunningServer server, Path workspace) {
        this.server = server;
        this.workspace = workspace;
        this.adminKey = server.key(RunningServer.FIRST, Role.ADMIN, null);
    }

    /**
     * Starts a server with all models at one address.
     *
     * @param home an empty folder
     */
    static AimockTrial start(Path home, String models, Map<String, String> options) throws Exception {
        Path key = Files.writeString(home.resolve("model.key"), Aimock.CONFIGURED_KEY);
        Files.writeString(home.resolve("toolgate.yaml"), """
                models:
                  claude: {base_url: "%1$s"}
                  openai: {base_url: "%1$s/v1"}
                  ollama: {host: "%1$s"}
                secrets:
                  default:
                    ANTHROPIC_API_KEY: file:%2$s
                    OPENAI_API_KEY: file:%2$s
                    OLLAMA_API_KEY: file:%2$s
                """.formatted(models, key));
        return new AimockTrial(RunningServer.start(home, options), home.resolve("workspace"));
    }

    RunningServer server() {
        return server;
    }

    /** A file of the workspace. */
    Path file(String name) {
        return workspace.resolve(name);
    }

    /** Writes a file into the workspace. */
    void write(String name, String content) throws IOException {
        Files.writeString(file(name), content);
    }

    /** A new agent with the default grants. */
    String agent(String trust) {
        String agent = "agent-" + agents.incrementAndGet();
        expect(201, admin().post("/api/v1/agents", """
                {"agent_id": "%s", "trust_level": "%s"}""".formatted(agent, trust)));
        for (String tool : GRANTED) {
            expect(200, admin().put("/api/v1/permissions/" + agent + "/" + tool, "{\"allowed\": true}"));
        }
        return agent;
    }

    /** An HTTP client with the key of the chatting admin. */
    Client admin() {
        return server.withKey(adminKey);
    }

    /** A chat client with the admin's key; closed with the trial. */
    ChatClient chatAsAdmin() {
        return chat(adminKey);
    }

    /** A chat client with an agent's key. */
    ChatClient chatAs(String agent) {
        return chat(server.key(RunningServer.FIRST, Role.AGENT, new AgentId(agent)));
    }

    /** A chat client with a role. */
    ChatClient chatAs(Role role) {
        return chat(server.key(RunningServer.FIRST, role, null));
    }

    private ChatClient chat(String key) {
        ChatClient client = ChatClient.connect(server.url(), key);
        clients.add(client);
        return client;
    }

    /** The audit records of an agent. */
    List<JsonNode> records(String agent) {
        return admin().get("/api/v1/audit/logs?agent_id=" + agent)
                .json()
                .valueStream()
                .toList();
    }

    /** The name of the chatting admin in records. */
    String adminName() {
        return admin().get("/api/v1/whoami").json().path("name").asString();
    }

    private static void expect(int status, Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
    }

    @Override
    public void close() throws IOException {
        clients.forEach(ChatClient::close);
        server.close();
    }
}
