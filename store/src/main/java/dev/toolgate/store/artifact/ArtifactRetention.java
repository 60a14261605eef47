package dev.toolgate.store.artifact;

import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.store.connection.Statements;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes artifacts that have been kept for long enough. */
public final class ArtifactRetention {
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactRetention.class);
    private static final int AT_A_TIME = 500;

    private final Statements statements;
    private final ArtifactStore store;

    public ArtifactRetention(Jdbi jdbi, ArtifactStore store) {
        this.statements = new Statements(jdbi);
        this.store = store;
    }

    private record Old(TenantId tenant, ArtifactUri uri) {}

    /** Deletes what was stored before this time; how many there were. */
    public long remove(Instant before) throws IOException {
        long removed = 0;
        List<Old> some = some(before);
        while (!some.isEmpty()) {
            for (Old old : some) {
                removed += store.delete(old.tenant(), old.uri()) ? 1 : 0;
            }
            some = some(before);
        }
        if (removed > 0) {
            LOG.info("Deleted {} artifacts that were stored before {}", removed, before);
        }
        return removed;
    }

    private List<Old> some(Instant before) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT tenant_id, workspace_id, artifact_id FROM artifacts WHERE created_at < :before
                        ORDER BY created_at LIMIT :limit""")
                .bind("before", before)
                .bind("limit", AT_A_TIME)
                .map((row, _) -> new Old(
                        new TenantId(row.getString("tenant_id")),
                        new ArtifactUri(new WorkspaceId(row.getString("workspace_id")), row.getString("artifact_id"))))
                .list());
    }
}
