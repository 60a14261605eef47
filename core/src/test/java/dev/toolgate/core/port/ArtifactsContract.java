package dev.toolgate.core.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every artifact store must do. */
public abstract class ArtifactsContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final Caller OWNER = new Caller(ACME, new AgentId("alice"), null, new WorkspaceId("ws_456"));

    protected abstract Artifacts artifacts() throws Exception;

    @Test
    void what_is_stored_can_be_read_back_by_its_uri() throws Exception {
        Artifacts store = artifacts();
        String uri = uri(store.store(OWNER, text("hello")));

        assertThat(uri).matches("workspaces/ws_456/artifacts/[A-Za-z0-9_-]+");
        assertThat(read(store, ACME, uri)).isEqualTo("hello");
    }

    @Test
    void a_file_can_be_handed_over(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("spool"), "from a file");
        Artifacts store = artifacts();
        Artifact stored = store.store(
                OWNER, Artifact.of("tool_output", "text/plain", "out.txt", Content.in(file, Files.size(file))));

        assertThat(read(store, ACME, uri(stored))).isEqualTo("from a file");
        try (InputStream content = stored.content().open()) {
            assertThat(content.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("from a file");
        }
    }

    @Test
    void two_artifacts_never_share_a_uri() throws Exception {
        Artifacts store = artifacts();

        assertThat(uri(store.store(OWNER, text("a")))).isNotEqualTo(uri(store.store(OWNER, text("a"))));
    }

    @Test
    void another_tenants_artifact_is_as_good_as_absent() throws Exception {
        Artifacts store = artifacts();
        String uri = uri(store.store(OWNER, text("hello")));

        assertThat(store.find(OTHER, uri)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "workspaces/ws_456/artifacts/",
                "workspaces/ws_456/artifacts/none",
                "workspaces/../artifacts/x",
                "workspaces/ws_456/artifacts/../../../../../etc/passwd",
                "/etc/passwd",
                "../../etc/passwd",
                "workspaces/ws_456/artifacts/a\0b",
            })
    void a_uri_that_leads_nowhere_finds_nothing(String uri) throws Exception {
        assertThat(artifacts().find(ACME, uri)).isEmpty();
    }

    private static Artifact text(String text) {
        return Artifact.of("tool_output", "text/plain", "out.txt", Content.of(text));
    }

    private static String uri(Artifact stored) {
        return Objects.requireNonNull(stored.uri());
    }

    private static String read(Artifacts store, TenantId tenant, String uri) throws Exception {
        try (InputStream content = store.find(tenant, uri).orElseThrow().open()) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
