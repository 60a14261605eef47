package dev.toolgate.server.door.artifact;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Concurrently;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyArtifactsTest {
    private static final int CLIENTS = 64;
    private static final int ALL = 10_000;

    @TempDir
    private Path home;

    @Test
    void ten_thousand_artifacts_of_sixty_four_clients_at_once_are_all_there() throws Exception {
        try (RunningServer server = RunningServer.start(home)) {
            Client agent = server.as(FIRST, Role.AGENT);
            Map<String, String> stored = new TreeMap<>();
            List<Map<String, String>> parts = Concurrently.run(CLIENTS, worker -> {
                Map<String, String> mine = new TreeMap<>();
                for (int i = worker; i < ALL; i += CLIENTS) {
                    String text = "artifact " + i / 2; // every content twice
                    Reply reply =
                            agent.upload("/workspaces/many/artifacts", "text/plain", BodyPublishers.ofString(text));
                    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
                    mine.put(reply.json().path("id").asString(), text);
                }
                return mine;
            });
            parts.forEach(stored::putAll);
            assertThat(stored).hasSize(ALL);

            List<String> listed = new ArrayList<>();
            Optional<String> page = Optional.of("/workspaces/many/artifacts?limit=1000");
            while (page.isPresent()) {
                Reply reply = agent.get(page.get());
                listed.addAll(reply.each("id"));
                page = reply.next();
            }
            assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(stored.keySet());

            List<String> ids = List.copyOf(stored.keySet());
            Concurrently.run(CLIENTS, worker -> {
                for (int i = worker; i < ALL; i += CLIENTS) {
                    assertThat(agent.get("/workspaces/many/artifacts/" + ids.get(i))
                                    .text())
                            .isEqualTo(stored.get(ids.get(i)));
                }
                return worker;
            });
        }
    }
}
