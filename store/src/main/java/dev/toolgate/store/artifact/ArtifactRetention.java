package dev.toolgate.store.artifact;

import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.ArtifactVisibility;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.store.connection.Statements;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes artifacts whose retention period is over. */
public final class ArtifactRetention {
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactRetention.class);
    private static final int BATCH_SIZE = 500;

    private final Statements statements;
    private final ArtifactStore store;

    public ArtifactRetention(Jdbi jdbi, ArtifactStore store) {
        this.statements = new Statements(jdbi);
        this.store = store;
    }

    private record Old(TenantId tenant, ArtifactUri uri) {}

    /** Deletes artifacts stored before this time, and returns their number. */
    public long remove(Instant before) throws IOException {
        return remove(before, "");
    }

    /** The same, only for states that were kept to undo changes. */
    public long removeKeptStates(Instant before) throws IOException {
        return remove(before, "AND type = '" + ArtifactVisibility.KEPT_STATE + "' ");
    }

    private long remove(Instant before, String condition) throws IOException {
        long removed = 0;
        List<Old> nextBatch = nextBatch(before, condition);
        while (!nextBatch.isEmpty()) {
            for (Old old : nextBatch) {
                removed += store.delete(old.tenant(), old.uri()) ? 1 : 0;
            }
            nextBatch = nextBatch(before, condition);
        }
        if (removed > 0) {
            LOG.info("Deleted {} artifacts that were stored before {}", removed, before);
        }
        return removed;
    }

    private List<Old> nextBatch(Instant before, String condition) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT tenant_id, workspace_id, artifact_id FROM artifacts WHERE created_at < :before
                        """ + condition + "ORDER BY created_at LIMIT :limit")
                .bind("before", before)
                .bind("limit", BATCH_SIZE)
                .map((row, _) -> new Old(
                        new TenantId(row.getString("tenant_id")),
                        new ArtifactUri(new WorkspaceId(row.getString("workspace_id")), row.getString("artifact_id"))))
                .list());
    }
}
