package dev.toolgate.store.session;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.policy.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads sessions from rows. */
final class SessionRows {
    private SessionRows() {}

    static Session session(ResultSet row) throws SQLException {
        @Nullable String agent = row.getString("agent_id");
        @Nullable String workspace = row.getString("workspace_id");
        return new Session(
                PolicyBundleJson.read(row.getString("policy_bundle")),
                agent == null ? null : new AgentId(agent),
                workspace == null ? null : new WorkspaceId(workspace),
                time(row.getTimestamp("ended_at")));
    }

    static StoredSession kept(ResultSet row) throws SQLException {
        return new StoredSession(session(row), row.getTimestamp("created_at").toInstant(), row.getString("created_by"));
    }

    private static @Nullable Instant time(@Nullable Timestamp time) {
        return time == null ? null : time.toInstant();
    }
}
