package dev.toolgate.core.undo;

import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.FoundArtifact;
import dev.toolgate.core.artifact.Lookup;
import dev.toolgate.core.artifact.NewArtifact;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.undo.KeptChange.Kept;
import dev.toolgate.core.undo.KeptChange.NotKept;
import dev.toolgate.core.undo.KeptState.Absent;
import dev.toolgate.core.undo.KeptState.Present;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps changes as artifacts of their calls, hidden from all readers of artifacts. */
public final class ArtifactKeptChanges implements KeptChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactKeptChanges.class);
    private static final ArtifactVisibility OURS = new ArtifactVisibility.KeptStates();
    private static final int MAX_OF_CALL = 10;
    private static final int MAX_STORED_BYTES = 2 * MAX_BYTES + 64 * 1024;

    private final ArtifactStore store;
    private final Redactor redactor;

    /**
     * @param store its limits apply to what is kept
     * @param redactor knows the secrets that must not be kept
     */
    public ArtifactKeptChanges(ArtifactStore store, Redactor redactor) {
        this.store = store;
        this.redactor = redactor;
    }

    @Override
    public boolean isEnabled() {
        return true;
    }

    @Override
    public Entry keep(Call call, KeptChange change) {
        TenantId tenant = call.caller().tenant();
        byte[] bytes = KeptChangeFormat.write(permitted(tenant, change));
        Artifact artifact = Artifact.of(
                ArtifactVisibility.KEPT_STATE, NewArtifact.UNKNOWN_TYPE, change.target(), Content.of(bytes));
        try {
            String uri = store.store(call.caller(), call.requestId(), artifact).uri();
            return () -> discard(tenant, uri);
        } catch (IOException | RuntimeException unstored) {
            LOG.warn("The change of call {} cannot be undone: {}", call.requestId(), unstored.getMessage());
            return Entry.NOTHING;
        }
    }

    private void discard(TenantId tenant, @Nullable String uri) {
        try {
            Optional<ArtifactUri> parsed = uri == null ? Optional.empty() : ArtifactUri.parse(uri);
            if (parsed.isPresent()) {
                boolean _ = store.delete(tenant, parsed.get());
            }
        } catch (IOException | RuntimeException unreachable) {
            LOG.warn("A kept state that is no longer needed could not be deleted: {}", unreachable.getMessage());
        }
    }

    private KeptChange permitted(TenantId tenant, KeptChange change) {
        return switch (change.states()) {
            case NotKept notKept -> change;
            case Kept(KeptState before, KeptState after) -> {
                if (before.size() > MAX_BYTES || after.size() > MAX_BYTES) {
                    yield change.without("Content is kept up to " + MAX_BYTES + " bytes; there were " + before.size()
                            + " before and " + after.size() + " after the call");
                }
                yield hasSecret(tenant, before) || hasSecret(tenant, after)
                        ? change.without("The content has a secret of the gate in it, so it was not kept")
                        : change;
            }
        };
    }

    private boolean hasSecret(TenantId tenant, KeptState state) {
        Redactor known = redactor.of(tenant);
        return switch (state) {
            case Absent absent -> false;
            case Present present -> {
                String text = new String(present.content(), StandardCharsets.UTF_8);
                yield known.knowsSecrets() && !known.hideKnown(text).equals(text);
            }
        };
    }

    @Override
    public Optional<KeptChange> find(TenantId tenant, AgentId agent, String uri) throws IOException {
        Optional<ArtifactUri> parsed = ArtifactUri.parse(uri);
        return parsed.isEmpty()
                ? Optional.empty()
                : found(tenant, agent, parsed.get()).map(Found::change);
    }

    @Override
    public Optional<Found> ofCall(TenantId tenant, WorkspaceId workspace, AgentId agent, RequestId request, String tool)
            throws IOException {
        List<Found> all = new ArrayList<>();
        for (StoredArtifact stored : store.list(tenant, OURS, workspace, request, null, MAX_OF_CALL)) {
            found(tenant, agent, stored.uri())
                    .filter(found -> found.change().tool().equals(tool))
                    .ifPresent(all::add);
        }
        return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
    }

    private Optional<Found> found(TenantId tenant, AgentId agent, ArtifactUri uri) throws IOException {
        return switch (store.find(tenant, OURS, uri)) {
            case Lookup.Found(FoundArtifact artifact) -> {
                boolean own = agent.equals(artifact.facts().agent());
                yield own && artifact.facts().size() <= MAX_STORED_BYTES
                        ? Optional.of(new Found(uri.toString(), KeptChangeFormat.read(bytes(artifact))))
                        : Optional.empty();
            }
            case Lookup.Hidden hidden -> Optional.empty();
            case Lookup.Absent absent -> Optional.empty();
        };
    }

    private static byte[] bytes(FoundArtifact artifact) throws IOException {
        try (InputStream in = artifact.open()) {
            return in.readNBytes(MAX_STORED_BYTES);
        }
    }
}
