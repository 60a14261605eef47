package dev.toolgate.store.artifact;

import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads artifact metadata from a row. */
final class ArtifactRows {
    static final String COLUMNS =
            "a.workspace_id, a.artifact_id, a.agent_id, a.session_id, a.principal, a.request_id, a.type, a.media_type,"
                    + " a.name, a.size_bytes, encode(a.sha256, 'hex') AS hash, a.created_at";

    private ArtifactRows() {}

    static StoredArtifact read(ResultSet row) throws SQLException {
        String agent = row.getString("agent_id");
        String session = row.getString("session_id");
        String request = row.getString("request_id");
        return new StoredArtifact(
                new ArtifactUri(new WorkspaceId(row.getString("workspace_id")), row.getString("artifact_id")),
                agent == null ? null : new AgentId(agent),
                session == null ? null : new SessionId(session),
                row.getString("principal"),
                request == null ? null : new RequestId(request),
                row.getString("type"),
                row.getString("media_type"),
                row.getString("name"),
                row.getLong("size_bytes"),
                row.getString("hash"),
                row.getTimestamp("created_at").toInstant());
    }
}
