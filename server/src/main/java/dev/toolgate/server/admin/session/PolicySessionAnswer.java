package dev.toolgate.server.admin.session;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.policy.Session;
import dev.toolgate.store.session.StoredSession;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** A policy session as a JSON response, without the credentials of MCP servers. */
final class PolicySessionAnswer {
    private PolicySessionAnswer() {}

    static ObjectNode of(StoredSession kept, Instant now) {
        Session session = kept.session();
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("session_id", session.bundle().sessionId().value());
        if (session.agent() != null) {
            answer.put("agent_id", session.agent().value());
        }
        if (session.workspace() != null) {
            answer.put("workspace_id", session.workspace().value());
        }
        answer.put("status", status(session, now));
        answer.put("expires_at", session.bundle().expiresAt().toString());
        answer.put("created_at", kept.createdAt().toString());
        if (kept.createdBy() != null) {
            answer.put("created_by", kept.createdBy());
        }
        if (session.endedAt() != null) {
            answer.put("ended_at", session.endedAt().toString());
        }
        answer.set("policy_bundle", bundle(session));
        return answer;
    }

    private static String status(Session session, Instant now) {
        if (session.endedAt() != null) {
            return "ended";
        }
        return now.isBefore(session.bundle().expiresAt()) ? "active" : "expired";
    }

    private static ObjectNode bundle(Session session) {
        ObjectNode bundle = (ObjectNode) Json.MAPPER.readTree(PolicyBundleJson.write(session.bundle()));
        bundle.path("mcpServers").forEach(server -> ((ObjectNode) server).remove("auth"));
        return bundle;
    }
}
