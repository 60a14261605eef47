package dev.toolgate.server.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;

/** Policy sessions for tests. */
public record PolicySession(String id, String agent, String tenant, String expires, String capabilities) {

    /** An active session of an agent of the first tenant with these capabilities, as JSON. */
    public static PolicySession of(String id, String agent, String capabilities) {
        return new PolicySession(id, agent, "default", "2099-01-01T00:00:00Z", capabilities);
    }

    public PolicySession ofTenant(String newTenant) {
        return new PolicySession(id, agent, newTenant, expires, capabilities);
    }

    public PolicySession until(String newExpires) {
        return new PolicySession(id, agent, tenant, newExpires, capabilities);
    }

    /** The body to start it. */
    public String json() {
        return """
                {"agent_id": "%s", "policy_bundle": {"policyBundleVersion": "1", "schemaVersion": "1.0",
                 "tenantId": "%s", "userId": "ada", "sessionId": "%s", "expiresAt": "%s", "capabilities": [%s]}}""".formatted(agent, tenant, id, expires, capabilities);
    }

    /** Starts it. */
    public Reply startedBy(Client client) {
        Reply reply = client.post("/api/v1/sessions", json());
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        return reply;
    }
}
