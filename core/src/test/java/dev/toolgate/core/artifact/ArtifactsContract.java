package dev.toolgate.core.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of artifact stores; there are tenants acme and other. */
public abstract class ArtifactsContract extends ArtifactLimitsContract {

    @Test
    void what_is_stored_can_be_read_back_by_its_uri() throws Exception {
        ArtifactStore store = artifacts();
        String uri = uri(store.store(OWNER, text("hello")));

        assertThat(uri).matches("workspaces/ws_456/artifacts/[A-Za-z0-9_-]+");
        assertThat(read(store, ACME, uri)).isEqualTo("hello");
    }

    @Test
    void a_stored_file_is_moved_into_the_store(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("spool"), "from a file");
        ArtifactStore store = artifacts();
        Artifact stored = store.store(
                OWNER, Artifact.of("tool_output", "text/plain", "out.txt", Content.in(file, Files.size(file))));

        assertThat(file).doesNotExist();
        assertThat(read(store, ACME, uri(stored))).isEqualTo("from a file");
        try (InputStream content = stored.content().open()) {
            assertThat(content.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("from a file");
        }
    }

    @Test
    void a_found_artifact_can_be_stored_by_another_tenant() throws Exception {
        ArtifactStore store = artifacts();
        Artifact first = store.store(OWNER, text("ours"));
        Caller other = Caller.ofAgent(OTHER, new AgentId("bob"), null, WORKSPACE);
        Artifact second = store.store(
                other,
                Artifact.of(
                        "tool_output",
                        "text/plain",
                        "copy",
                        store.find(ACME, uri(first)).orElseThrow()));
        store.delete(ACME, ArtifactUri.parse(uri(first)).orElseThrow());

        assertThat(read(store, OTHER, uri(second))).isEqualTo("ours");
    }

    @Test
    void two_artifacts_never_share_a_uri() throws Exception {
        ArtifactStore store = artifacts();

        assertThat(uri(store.store(OWNER, text("a")))).isNotEqualTo(uri(store.store(OWNER, text("a"))));
    }

    @Test
    void artifacts_of_another_tenant_are_treated_as_absent() throws Exception {
        ArtifactStore store = artifacts();
        String uri = uri(store.store(OWNER, text("hello")));

        assertThat(store.find(OTHER, uri)).isEmpty();
        assertThat(store.delete(OTHER, ArtifactUri.parse(uri).orElseThrow())).isFalse();
        assertThat(store.list(OTHER, new ArtifactVisibility.Everything(), WORKSPACE, null, 10))
                .isEmpty();
        assertThat(read(store, ACME, uri)).isEqualTo("hello");
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
                "workspaces/ws_456/artifacts/art_00000000-0000-0000-0000-000000000000",
                "workspaces/%77s_456/artifacts/art_00000000-0000-0000-0000-000000000000",
                "workspaces/%/artifacts/art_00000000-0000-0000-0000-000000000000",
                "workspaces/ws_456%00/artifacts/art_00000000-0000-0000-0000-000000000000",
            })
    void an_unknown_or_malformed_uri_finds_nothing(String uri) throws Exception {
        assertThat(artifacts().find(ACME, uri)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../x", "a/b", "ü ñ 漢字", "%2e%2e", ".", "..", "a\\..\\b", "w s?#&"})
    void a_workspace_may_have_any_name(String name) throws Exception {
        ArtifactStore store = artifacts();
        WorkspaceId workspace = new WorkspaceId(name);
        String uri = uri(store.store(Caller.ofAgent(ACME, new AgentId("a"), null, workspace), text("of " + name)));

        assertThat(uri).matches("workspaces/[A-Za-z0-9%._~-]+/artifacts/art_[0-9a-f-]{36}");
        assertThat(read(store, ACME, uri)).isEqualTo("of " + name);
        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), workspace, null, 10))
                .hasSize(1);
        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 10))
                .isEmpty();
    }

    @Test
    void the_metadata_of_a_stored_artifact_is_complete() throws Exception {
        ArtifactStore store = artifacts();
        StoredArtifact stored = write(store, "hello");

        assertThat(stored.sha256()).isEqualTo("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
        assertThat(stored.size()).isEqualTo(5);
        assertThat(stored.name()).isEqualTo("notes.txt");
        assertThat(stored.mediaType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(stored.agent()).isEqualTo(new AgentId("alice"));
        assertThat(store.find(ACME, stored.uri()).orElseThrow().facts()).isEqualTo(stored);
        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 10))
                .containsExactly(stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../etc/passwd", "a\nb\r\nc", "nul\0", "\uD800half", "", "“quotes” \"and\" 漢字 \\"})
    void odd_names_are_cleaned(String name) throws Exception {
        ArtifactStore store = artifacts();
        NewArtifact facts =
                new NewArtifact(ACME, WORKSPACE, null, null, null, null, "odd kind!", "not a media type\r\n", name);
        StoredArtifact stored = store.write(facts, -1, bytes("x"));

        StoredArtifact found = store.find(ACME, stored.uri()).orElseThrow().facts();
        assertThat(found).isEqualTo(stored);
        assertThat(found.name()).isNotEmpty().doesNotContainPattern("[\\x00-\\x1f\\ud800-\\udfff]");
        assertThat(found.mediaType()).isEqualTo("application/octet-stream");
        assertThat(found.agent()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"0, 10, 0123456789", "0, 1, 0", "9, 1, 9", "3, 4, 3456", "5, 0, ''", "0, 0, ''"})
    void a_range_is_exactly_its_bytes(long first, long length, String expected) throws Exception {
        ArtifactStore store = artifacts();
        StoredArtifact stored = write(store, "0123456789");

        try (InputStream part = store.find(ACME, stored.uri()).orElseThrow().open(new ByteRange(first, length))) {
            assertThat(part.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(expected);
        }
    }

    @Test
    void pages_have_no_gaps_and_are_newest_first() throws Exception {
        ArtifactStore store = artifacts();
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            written.addFirst(write(store, "number " + i).uri().id());
        }
        List<String> listed = new ArrayList<>();
        ArtifactPosition after = null;
        do {
            List<StoredArtifact> page = store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, after, 3);
            page.forEach(artifact -> listed.add(artifact.uri().id()));
            after = page.isEmpty()
                    ? null
                    : ArtifactPosition.parse(ArtifactPosition.of(page.getLast()).token());
        } while (after != null);

        assertThat(listed).containsExactlyInAnyOrderElementsOf(written);
        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 10))
                .isSortedAccordingTo((one, other) -> other.createdAt().compareTo(one.createdAt()));
    }

    @Test
    void finds_and_lists_only_visible_artifacts() throws Exception {
        ArtifactStore store = artifacts();
        AgentId bob = new AgentId("bob");
        SessionId session = new SessionId("sess_1");
        StoredArtifact ofAlice = write(store, "made by alice");
        StoredArtifact ofBob = store.write(
                new NewArtifact(ACME, WORKSPACE, bob, session, "key:bob", null, "upload", "text/plain", "b"),
                -1,
                bytes("made by bob"));
        StoredArtifact ofNobody = store.write(
                new NewArtifact(ACME, WORKSPACE, null, null, null, null, "upload", "text/plain", "n"),
                -1,
                bytes("by a person"));

        assertSeen(store, new ArtifactVisibility.Everything(), ofAlice, ofBob, ofNobody);
        assertSeen(store, new ArtifactVisibility.Attributed(), ofAlice, ofBob);
        assertSeen(store, new ArtifactVisibility.MadeBy(Set.of(bob), Set.of()), ofBob);
        assertSeen(store, new ArtifactVisibility.MadeBy(Set.of(), Set.of(session)), ofBob);
        assertSeen(store, new ArtifactVisibility.RequestedBy("key:alice"), ofAlice);
        assertSeen(store, new ArtifactVisibility.RequestedBy("key:eve"));
        assertSeen(store, new ArtifactVisibility.MadeBy(Set.of(new AgentId("eve")), Set.of(new SessionId("other"))));
        assertThat(store.find(ACME, new ArtifactVisibility.MadeBy(Set.of(bob), Set.of()), ofAlice.uri()))
                .isEqualTo(new Lookup.Hidden(ofAlice));
        assertThat(store.find(OTHER, new ArtifactVisibility.Everything(), ofAlice.uri()))
                .isEqualTo(new Lookup.Absent());
    }

    private static void assertSeen(ArtifactStore store, ArtifactVisibility visibility, StoredArtifact... seen)
            throws Exception {
        assertThat(store.list(ACME, visibility, WORKSPACE, null, 10)).containsExactlyInAnyOrder(seen);
        for (StoredArtifact artifact : seen) {
            assertThat(store.find(ACME, visibility, artifact.uri())).isInstanceOf(Lookup.Found.class);
        }
    }

    @Test
    void artifacts_of_one_call_are_listed_by_its_id() throws Exception {
        ArtifactStore store = artifacts();
        RequestId request = new RequestId("call-1");
        StoredArtifact made = store.write(
                new NewArtifact(ACME, WORKSPACE, null, null, null, request, "tool_output", "text/plain", "n"),
                -1,
                bytes("made"));
        StoredArtifact other = write(store, "other");

        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, request, null, 10))
                .containsExactly(made);
        assertThat(store.list(ACME, new ArtifactVisibility.Everything(), WORKSPACE, null, 10))
                .containsExactlyInAnyOrder(made, other);
        assertThat(store.list(OTHER, new ArtifactVisibility.Everything(), WORKSPACE, request, null, 10))
                .isEmpty();
        assertThat(store.list(ACME, new ArtifactVisibility.RequestedBy("key:alice"), WORKSPACE, request, null, 10))
                .isEmpty();
    }
}
