package dev.toolgate.core.memory;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Artifacts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Artifacts in memory, for tests and short-lived programs. */
public final class InMemoryArtifacts implements Artifacts {
    private final Map<Key, Content> contents = new ConcurrentHashMap<>();

    @Override
    public Artifact store(Caller owner, Artifact artifact) throws IOException {
        String uri = "workspaces/" + owner.workspace() + "/artifacts/art_" + UUID.randomUUID();
        Content kept;
        try (InputStream bytes = artifact.content().open()) {
            kept = Content.of(bytes.readAllBytes());
        }
        if (artifact.content() instanceof Content.InFile handedOver) {
            Files.deleteIfExists(handedOver.file());
        }
        contents.put(new Key(owner.tenant(), uri), kept);
        return artifact.storedAt(uri, kept);
    }

    @Override
    public Optional<Content> find(TenantId tenant, String uri) {
        return Optional.ofNullable(contents.get(new Key(tenant, uri)));
    }

    private record Key(TenantId tenant, String uri) {}
}
