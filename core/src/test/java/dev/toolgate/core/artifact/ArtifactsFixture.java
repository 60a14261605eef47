package dev.toolgate.core.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Objects;

/** Fixture with artifacts; there are tenants acme and other. */
public abstract class ArtifactsFixture {
    protected static final TenantId ACME = new TenantId("acme");

    protected static final TenantId OTHER = new TenantId("other");

    protected static final WorkspaceId WORKSPACE = new WorkspaceId("ws_456");

    static final Caller OWNER = Caller.ofAgent(ACME, new AgentId("alice"), null, WORKSPACE);

    /** An empty store with these limits. */
    protected abstract ArtifactStore artifacts(ArtifactLimits limits) throws Exception;

    ArtifactStore artifacts() throws Exception {
        return artifacts(ArtifactLimits.NONE);
    }

    static NewArtifact facts() {
        return new NewArtifact(
                ACME,
                WORKSPACE,
                new AgentId("alice"),
                null,
                "key:alice",
                null,
                "upload",
                "text/plain; charset=utf-8",
                "notes.txt");
    }

    protected static StoredArtifact write(ArtifactStore store, String text) throws IOException {
        return store.write(facts(), -1, bytes(text));
    }

    static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    static InputStream unread() {
        return new BrokenSource(0);
    }

    static InputStream endless() {
        return new BrokenSource(Long.MAX_VALUE);
    }

    static void assertRefused(
            ArtifactRefused.Limit limit, org.assertj.core.api.ThrowableAssert.ThrowingCallable storing) {
        assertThatThrownBy(storing)
                .isInstanceOfSatisfying(ArtifactRefused.class, refused -> assertThat(refused.limit())
                        .isEqualTo(limit))
                .hasMessageContaining("bytes");
    }

    static Artifact text(String text) {
        return Artifact.of("tool_output", "text/plain", "out.txt", Content.of(text));
    }

    static String uri(Artifact stored) {
        return Objects.requireNonNull(stored.uri());
    }

    protected static String read(ArtifactStore store, TenantId tenant, String uri) throws Exception {
        try (InputStream content = store.find(tenant, uri).orElseThrow().open()) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
