package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.artifact.FoundArtifact;
import dev.toolgate.core.artifact.Lookup;
import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds artifacts that a principal may see. Reads by others than the creating agent are recorded, and so are refused
 * attempts.
 */
public final class ArtifactReads {
    static final String READ = "read";

    private final ArtifactStore store;
    private final ArtifactReaders readers;
    private final ArtifactRecords records;

    public ArtifactReads(ArtifactStore store, ArtifactAccess access, AuditedChanges changes) {
        this(store, new ArtifactReaders(access), new ArtifactRecords(changes));
    }

    ArtifactReads(ArtifactStore store, ArtifactReaders readers, ArtifactRecords records) {
        this.store = store;
        this.readers = readers;
        this.records = records;
    }

    /**
     * Finds an artifact to read; empty if there is none that the principal may read.
     *
     * @param session the session named in the request; {@code null} if none
     */
    public Optional<FoundArtifact> read(
            Principal principal, @Nullable SessionId session, CallContext context, ArtifactUri uri) throws IOException {
        if (!principal.may(Right.READ_ARTIFACTS)
                || (session != null
                        && readers.refusal(principal, session, uri.workspace()).isPresent())) {
            return Optional.empty();
        }
        Optional<FoundArtifact> found =
                find(principal, readers.reader(principal, session, uri.workspace()), context, uri, READ);
        found.ifPresent(artifact -> recordRead(principal, context, artifact));
        return found;
    }

    /** Finds a visible artifact; an attempt to reach another agent's artifact is recorded. */
    Optional<FoundArtifact> find(
            Principal principal, ArtifactVisibility reader, CallContext context, ArtifactUri uri, String operation)
            throws IOException {
        return switch (store.find(principal.tenant(), reader, uri)) {
            case Lookup.Found found -> Optional.of(found.artifact());
            case Lookup.Hidden hidden -> {
                records.withoutIntent(
                                principal, context, uri.workspace(), operation, ArtifactRecords.facts(hidden.facts()))
                        .refused(ErrorCode.PERMISSION_DENIED, "The artifact belongs to another agent.");
                yield Optional.empty();
            }
            case Lookup.Absent _ -> Optional.empty();
        };
    }

    /** Records a read by anyone other than the agent that created the artifact. */
    void recordRead(Principal principal, CallContext context, FoundArtifact found) {
        if (principal.agent() == null || !principal.agent().equals(found.facts().agent())) {
            ObjectNode facts = ArtifactRecords.facts(found.facts());
            records.withoutIntent(principal, context, found.facts().uri().workspace(), READ, facts)
                    .done(facts, ArtifactRecords.summary(found.facts()));
        }
    }
}
