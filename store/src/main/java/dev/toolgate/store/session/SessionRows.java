package dev.toolgate.store.session;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.policy.Session;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads sessions from rows. */
final class SessionRows {
    private SessionRows() {}

    static Session session(ResultSet row) throws SQLException {
        return session(row, PolicyBundleJson::read);
    }

    /** @param bundles parses the bundle */
    static Session session(ResultSet row, Function<String, PolicyBundle> bundles) throws SQLException {
        @Nullable String agent = row.getString("agent_id");
        @Nullable String workspace = row.getString("workspace_id");
        return new Session(
                bundles.apply(row.getString("policy_bundle")),
                agent == null ? null : new AgentId(agent),
                workspace == null ? null : new WorkspaceId(workspace),
                Timestamps.readNullable(row, "ended_at"));
    }

    static StoredSession kept(ResultSet row) throws SQLException {
        return new StoredSession(session(row), Timestamps.read(row, "created_at"), row.getString("created_by"));
    }
}
