package dev.toolgate.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.artifact.ArtifactPosition;
import dev.toolgate.core.artifact.ArtifactRefused;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ByteRange;
import dev.toolgate.core.artifact.NewArtifact;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every artifact store must do; there are tenants acme and other. */
public abstract class ArtifactsContract {
    protected static final TenantId ACME = new TenantId("acme");
    protected static final TenantId OTHER = new TenantId("other");
    protected static final WorkspaceId WORKSPACE = new WorkspaceId("ws_456");
    private static final Caller OWNER = new Caller(ACME, new AgentId("alice"), null, WORKSPACE);

    /** An empty store with these limits. */
    protected abstract ArtifactStore artifacts(ArtifactLimits limits) throws Exception;

    private ArtifactStore artifacts() throws Exception {
        return artifacts(ArtifactLimits.NONE);
    }

    @Test
    void what_is_stored_can_be_read_back_by_its_uri() throws Exception {
        ArtifactStore store = artifacts();
        String uri = uri(store.store(OWNER, text("hello")));

        assertThat(uri).matches("workspaces/ws_456/artifacts/[A-Za-z0-9_-]+");
        assertThat(read(store, ACME, uri)).isEqualTo("hello");
    }

    @Test
    void a_file_can_be_handed_over(@TempDir Path folder) throws Exception {
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
    void what_was_found_can_be_stored_again_by_somebody_else() throws Exception {
        ArtifactStore store = artifacts();
        Artifact first = store.store(OWNER, text("ours"));
        Caller other = new Caller(OTHER, new AgentId("bob"), null, WORKSPACE);
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
    void another_tenants_artifact_is_as_good_as_absent() throws Exception {
        ArtifactStore store = artifacts();
        String uri = uri(store.store(OWNER, text("hello")));

        assertThat(store.find(OTHER, uri)).isEmpty();
        assertThat(store.delete(OTHER, ArtifactUri.parse(uri).orElseThrow())).isFalse();
        assertThat(store.list(OTHER, WORKSPACE, null, 10)).isEmpty();
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
    void a_uri_that_leads_nowhere_finds_nothing(String uri) throws Exception {
        assertThat(artifacts().find(ACME, uri)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../x", "a/b", "ü ñ 漢字", "%2e%2e", ".", "..", "a\\..\\b", "w s?#&"})
    void a_workspace_may_have_any_name(String name) throws Exception {
        ArtifactStore store = artifacts();
        WorkspaceId workspace = new WorkspaceId(name);
        String uri = uri(store.store(new Caller(ACME, new AgentId("a"), null, workspace), text("of " + name)));

        assertThat(uri).matches("workspaces/[A-Za-z0-9%._~-]+/artifacts/art_[0-9a-f-]{36}");
        assertThat(read(store, ACME, uri)).isEqualTo("of " + name);
        assertThat(store.list(ACME, workspace, null, 10)).hasSize(1);
        assertThat(store.list(ACME, WORKSPACE, null, 10)).isEmpty();
    }

    @Test
    void it_is_known_what_was_stored() throws Exception {
        ArtifactStore store = artifacts();
        StoredArtifact stored = write(store, "hello");

        assertThat(stored.sha256()).isEqualTo("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
        assertThat(stored.size()).isEqualTo(5);
        assertThat(stored.name()).isEqualTo("notes.txt");
        assertThat(stored.mediaType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(stored.agent()).isEqualTo(new AgentId("alice"));
        assertThat(store.find(ACME, stored.uri()).orElseThrow().facts()).isEqualTo(stored);
        assertThat(store.list(ACME, WORKSPACE, null, 10)).containsExactly(stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../etc/passwd", "a\nb\r\nc", "nul\0", "\uD800half", "", "“quotes” \"and\" 漢字 \\"})
    void odd_names_are_kept_as_far_as_they_can_be(String name) throws Exception {
        ArtifactStore store = artifacts();
        NewArtifact facts = new NewArtifact(ACME, WORKSPACE, null, "odd kind!", "not a media type\r\n", name);
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
    void nothing_at_all_can_be_stored_too() throws Exception {
        ArtifactStore store = artifacts();
        StoredArtifact stored = write(store, "");

        assertThat(stored.size()).isZero();
        assertThat(read(store, ACME, stored.uri().toString())).isEmpty();
    }

    @Test
    void pages_of_a_list_join_up_newest_first() throws Exception {
        ArtifactStore store = artifacts();
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            written.addFirst(write(store, "number " + i).uri().id());
        }
        List<String> listed = new ArrayList<>();
        ArtifactPosition after = null;
        do {
            List<StoredArtifact> page = store.list(ACME, WORKSPACE, after, 3);
            page.forEach(artifact -> listed.add(artifact.uri().id()));
            after = page.isEmpty()
                    ? null
                    : ArtifactPosition.parse(ArtifactPosition.of(page.getLast()).token());
        } while (after != null);

        assertThat(listed).containsExactlyInAnyOrderElementsOf(written);
        assertThat(store.list(ACME, WORKSPACE, null, 10))
                .isSortedAccordingTo((one, other) -> other.createdAt().compareTo(one.createdAt()));
    }

    @Test
    void what_is_deleted_is_gone_and_what_has_the_same_bytes_stays() throws Exception {
        ArtifactStore store = artifacts();
        StoredArtifact one = write(store, "same");
        StoredArtifact two = write(store, "same");

        assertThat(store.delete(ACME, one.uri())).isTrue();
        assertThat(store.find(ACME, one.uri())).isEmpty();
        assertThat(read(store, ACME, two.uri().toString())).isEqualTo("same");
        assertThat(store.delete(ACME, one.uri())).isFalse();
        assertThat(store.delete(ACME, two.uri())).isTrue();
        StoredArtifact again = write(store, "same");
        assertThat(read(store, ACME, again.uri().toString())).isEqualTo("same");
    }

    @Test
    void deleting_and_storing_the_same_bytes_at_once_loses_none() throws Exception {
        ArtifactStore store = artifacts();
        List<StoredArtifact> kept = AtOnce.by(8, worker -> {
            StoredArtifact last = write(store, "shared by all");
            for (int i = 0; i < 12; i++) {
                StoredArtifact next = write(store, "shared by all");
                assertThat(store.delete(ACME, last.uri())).isTrue();
                assertThat(read(store, ACME, next.uri().toString())).isEqualTo("shared by all");
                last = next;
            }
            return last;
        });

        for (StoredArtifact artifact : kept) {
            assertThat(read(store, ACME, artifact.uri().toString())).isEqualTo("shared by all");
        }
        assertThat(store.list(ACME, WORKSPACE, null, 100)).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void what_is_larger_than_one_artifact_may_be_is_refused_before_it_has_come() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1000, 1_000_000));

        assertRefused(ArtifactRefused.Limit.SIZE, () -> store.write(facts(), 1001, unread()));
        assertRefused(ArtifactRefused.Limit.SIZE, () -> store.write(facts(), -1, endless()));
        assertThat(store.list(ACME, WORKSPACE, null, 10)).isEmpty();
        assertThat(write(store, "x".repeat(1000)).size()).isEqualTo(1000);
    }

    @Test
    void a_tenant_can_use_its_quota_up_and_get_it_back_by_deleting() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1 << 20, 1000));
        StoredArtifact first = write(store, "x".repeat(600));

        assertRefused(ArtifactRefused.Limit.QUOTA, () -> store.write(facts(), 401, unread()));
        assertRefused(ArtifactRefused.Limit.QUOTA, () -> store.write(facts(), -1, endless()));
        assertThat(write(store, "y".repeat(400)).size()).isEqualTo(400);
        assertThat(store.delete(ACME, first.uri())).isTrue();
        assertThat(write(store, "z".repeat(600)).size()).isEqualTo(600);
        NewArtifact others = new NewArtifact(OTHER, WORKSPACE, null, "upload", "text/plain", "o");
        assertThat(store.write(others, -1, bytes("x".repeat(1000))).size()).isEqualTo(1000);
    }

    @Test
    void a_quota_holds_however_many_store_at_once() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1000, 1000));
        AtOnce.by(16, worker -> {
            for (int i = 0; i < 4; i++) {
                try {
                    store.write(
                            facts(),
                            worker % 2 == 0 ? -1 : 90,
                            bytes((worker + "").repeat(90).substring(0, 90)));
                } catch (ArtifactRefused full) {
                    assertThat(full.limit()).isEqualTo(ArtifactRefused.Limit.QUOTA);
                }
            }
            return worker;
        });
        long stored = store.list(ACME, WORKSPACE, null, 100).stream()
                .mapToLong(StoredArtifact::size)
                .sum();
        while (stored + 90 <= 1000) { // two on their way may have stood in each other's way, but never for good
            stored += write(store, "e".repeat(90)).size();
        }

        assertThat(stored).isEqualTo(990);
        assertRefused(ArtifactRefused.Limit.QUOTA, () -> write(store, "f".repeat(90)));
    }

    @Test
    void a_source_that_breaks_leaves_nothing() throws Exception {
        ArtifactStore store = artifacts(new ArtifactLimits(1 << 20, 1 << 20));
        assertThatThrownBy(() -> store.write(facts(), 1 << 20, new BrokenSource(500_000)))
                .hasMessage("the line is cut");
        assertThat(store.list(ACME, WORKSPACE, null, 10)).isEmpty();
        assertThat(write(store, "y".repeat(1 << 20)).size()).isEqualTo(1 << 20);
    }

    private static NewArtifact facts() {
        return new NewArtifact(
                ACME, WORKSPACE, new AgentId("alice"), "upload", "text/plain; charset=utf-8", "notes.txt");
    }

    protected static StoredArtifact write(ArtifactStore store, String text) throws IOException {
        return store.write(facts(), -1, bytes(text));
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static InputStream unread() {
        return new BrokenSource(0);
    }

    private static InputStream endless() {
        return new BrokenSource(Long.MAX_VALUE);
    }

    private static void assertRefused(
            ArtifactRefused.Limit limit, org.assertj.core.api.ThrowableAssert.ThrowingCallable storing) {
        assertThatThrownBy(storing)
                .isInstanceOfSatisfying(ArtifactRefused.class, refused -> assertThat(refused.limit())
                        .isEqualTo(limit))
                .hasMessageContaining("bytes");
    }

    private static Artifact text(String text) {
        return Artifact.of("tool_output", "text/plain", "out.txt", Content.of(text));
    }

    private static String uri(Artifact stored) {
        return Objects.requireNonNull(stored.uri());
    }

    protected static String read(ArtifactStore store, TenantId tenant, String uri) throws Exception {
        try (InputStream content = store.find(tenant, uri).orElseThrow().open()) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
