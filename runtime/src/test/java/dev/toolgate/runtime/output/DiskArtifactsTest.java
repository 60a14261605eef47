package dev.toolgate.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.ArtifactsContract;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskArtifactsTest extends ArtifactsContract {
    private static final String SHA256_OF_SAME = "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5";

    @TempDir
    Path temp;

    private Path folder;
    private ArtifactStore artifacts;

    @BeforeEach
    void open() throws IOException {
        folder = temp.resolve("deep/artifacts");
        artifacts = DiskArtifacts.in(folder);
    }

    @Override
    protected ArtifactStore artifacts(ArtifactLimits limits) throws IOException {
        return DiskArtifacts.in(temp.resolve("limited"), limits);
    }

    @Test
    void stores_and_finds_content_in_memory() throws IOException {
        Artifact stored = artifacts.store(caller("acme", "ws_1"), artifact(Content.of("hello")));

        assertThat(stored.uri()).matches("workspaces/ws_1/artifacts/art_[0-9a-f-]{36}");
        assertThat(text(stored.content())).isEqualTo("hello");
        assertThat(text(find("acme", stored))).isEqualTo("hello");
        assertThat(text(DiskArtifacts.in(folder)
                        .find(new TenantId("acme"), uri(stored))
                        .orElseThrow()))
                .isEqualTo("hello");
    }

    @Test
    void moves_a_file_in_instead_of_copying_it() throws IOException {
        Path spooled = Files.writeString(temp.resolve("spooled"), "large");
        Object inode = Files.getAttribute(spooled, "unix:ino");

        Artifact stored = artifacts.store(caller("acme", "ws"), artifact(Content.in(spooled, 5)));

        assertThat(spooled).doesNotExist();
        assertThat(text(find("acme", stored))).isEqualTo("large");
        assertThat(inode(content())).isEqualTo(inode);
    }

    @Test
    void copies_a_file_from_another_disk() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory) && !Files.getFileStore(memory).equals(Files.getFileStore(temp)));
        Path spooled = Files.createTempFile(memory, "toolgate-test-", ".spool");
        Files.writeString(spooled, "from afar");

        Artifact stored = artifacts.store(caller("acme", "ws"), artifact(Content.in(spooled, 9)));

        assertThat(spooled).doesNotExist();
        assertThat(text(find("acme", stored))).isEqualTo("from afar");
    }

    @Test
    void a_failed_store_leaves_no_artifact() throws IOException {
        artifacts.store(caller("acme", "ws"), artifact(Content.of("x")));
        Path shelf = content().resolveSibling("");
        try (Stream<Path> all = Files.walk(shelf)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        Files.writeString(shelf, "in the way");

        assertThatThrownBy(() -> artifacts.store(caller("acme", "ws"), artifact(Content.of("x"))))
                .isInstanceOf(IOException.class);
        assertThat(folder.resolve("incoming")).isEmptyDirectory();
    }

    @Test
    void another_tenant_finds_nothing_under_the_same_uri() throws IOException {
        Artifact stored = artifacts.store(caller("acme", "shared"), artifact(Content.of("secret of acme")));
        artifacts.store(caller("evil", "shared"), artifact(Content.of("mine")));

        assertThat(artifacts.find(new TenantId("evil"), uri(stored))).isEmpty();
        assertThat(artifacts.find(new TenantId("ACME"), uri(stored))).isEmpty();
        assertThat(artifacts.find(new TenantId("acme"), uri(stored).replace("shared", "other")))
                .isEmpty();
    }

    @Test
    void a_tenant_named_like_a_path_stays_in_its_own_folder() throws IOException {
        Artifact victim = artifacts.store(caller("acme", "ws"), artifact(Content.of("secret")));
        for (String name : new String[] {"../acme", "acme/../acme", "..", "/", "acme/", "./acme", "a\\..\\acme"}) {
            Artifact stored = artifacts.store(caller(name, "../../x"), artifact(Content.of("of " + name)));

            assertThat(text(find(name, stored))).isEqualTo("of " + name);
            assertThat(artifacts.find(new TenantId(name), uri(victim))).isEmpty();
            assertThat(artifacts.find(new TenantId("acme"), uri(stored))).isEmpty();
        }
        assertThat(temp)
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("x"));
        try (Stream<Path> all = Files.list(temp)) {
            assertThat(all).containsExactly(temp.resolve("deep"));
        }
    }

    @Test
    void tenants_that_differ_in_an_unpaired_surrogate_are_distinct() throws IOException {
        Artifact stored = artifacts.store(caller("a\uD800", "ws"), artifact(Content.of("first")));

        assertThat(artifacts.find(new TenantId("a\uD801"), uri(stored))).isEmpty();
        assertThat(artifacts.find(new TenantId("a?"), uri(stored))).isEmpty();
        assertThat(text(find("a\uD800", stored))).isEqualTo("first");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "workspaces/ws/artifacts/",
                "workspaces/ws/artifacts/../../../../../etc/passwd",
                "workspaces/ws/artifacts/art_../../../../../../../../../etc/passwd",
                "workspaces/../artifacts/victim",
                "workspaces/ws/artifacts/..",
                "/etc/passwd",
                "file:///etc/passwd",
                "workspaces/ws/artifacts/%2e%2e%2fvictim",
                "workspaces/ws/artifacts/VICTIM",
                "workspaces/ws/artifacts/art_00000000-0000-0000-0000-000000000000",
                "workspaces/ws/artifacts/art_00000000-0000-0000-0000-000000000000\n",
                "workspaces/ws\0/artifacts/art_00000000-0000-0000-0000-000000000000"
            })
    void a_crafted_uri_finds_nothing(String uri) throws IOException {
        artifacts.store(caller("acme", "ws"), artifact(Content.of("real")));
        Files.writeString(folder.resolve("victim"), "not an artifact");

        assertThat(artifacts.find(new TenantId("acme"), uri)).isEmpty();
    }

    @Test
    void a_link_planted_in_the_store_is_not_followed() throws IOException {
        Artifact stored = artifacts.store(caller("acme", "ws"), artifact(Content.of("real")));
        Path secret = Files.writeString(temp.resolve("secret"), "secret");
        Path kept = content();
        Files.delete(kept);
        Files.createSymbolicLink(kept, secret);

        Content planted = find("acme", stored);
        assertThatThrownBy(planted::open).isInstanceOf(IOException.class);
    }

    @Test
    void content_that_is_a_link_or_a_folder_is_refused() throws IOException {
        Path secret = Files.writeString(temp.resolve("secret"), "secret");
        Path link = Files.createSymbolicLink(temp.resolve("link"), secret);

        assertThatThrownBy(() -> artifacts.store(caller("acme", "ws"), artifact(Content.in(link, 6))))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> artifacts.store(caller("acme", "ws"), artifact(Content.in(temp, 6))))
                .isInstanceOf(IOException.class);
        assertThat(secret).hasContent("secret");
    }

    @Test
    void storing_found_content_again_keeps_the_first_artifact() throws IOException {
        Artifact first = artifacts.store(caller("acme", "ws"), artifact(Content.of("ours")));

        Artifact second = artifacts.store(caller("other", "ws"), artifact(find("acme", first)));

        assertThat(text(find("acme", first))).isEqualTo("ours");
        assertThat(text(find("other", second))).isEqualTo("ours");
    }

    @Test
    void the_same_bytes_are_stored_once_per_tenant() throws IOException {
        Set<String> uris = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            uris.add(uri(artifacts.store(caller(i % 2 == 0 ? "acme" : "other", "ws"), artifact(Content.of("same")))));
        }

        assertThat(uris).hasSize(50);
        try (Stream<Path> all = Files.walk(folder.resolve("content"))) {
            assertThat(all.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString().substring(0, 64)))
                    .containsExactly(SHA256_OF_SAME, SHA256_OF_SAME);
        }
        assertThat(folder.resolve("incoming")).isEmptyDirectory();
    }

    @Test
    void only_the_process_account_has_access() throws IOException {
        artifacts.store(caller("acme", "ws"), artifact(Content.of("x")));

        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.map(DiskArtifactsTest::mode)).allMatch(mode -> (mode & 0077) == 0);
        }
    }

    /** The file of the only stored content. */
    private Path content() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("content"))) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            assertThat(files).hasSize(1);
            return files.getFirst();
        }
    }

    private Content find(String tenant, Artifact stored) throws IOException {
        return artifacts.find(new TenantId(tenant), uri(stored)).orElseThrow();
    }

    private static String uri(Artifact stored) {
        return String.valueOf(stored.uri());
    }

    private static Artifact artifact(Content content) {
        return Artifact.of("tool_output", "text/plain", "stdout.txt", content);
    }

    private static Caller caller(String tenant, String workspace) {
        return Caller.ofAgent(new TenantId(tenant), new AgentId("agent"), null, new WorkspaceId(workspace));
    }

    private static String text(Content content) throws IOException {
        try (InputStream bytes = content.open()) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Object inode(Path file) {
        return attribute(file, "unix:ino");
    }

    private static int mode(Path file) {
        return (int) attribute(file, "unix:mode");
    }

    private static Object attribute(Path file, String name) {
        try {
            return Files.getAttribute(file, name);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
