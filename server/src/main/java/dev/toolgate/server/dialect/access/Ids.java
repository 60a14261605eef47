package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.store.grant.Holder;
import java.util.UUID;

/** Ids from paths, queries and bodies. */
final class Ids {
    private Ids() {}

    static AgentId agent(String text) {
        return Refusals.ofBody(() -> new AgentId(text));
    }

    static Holder.Group group(String text) {
        return Refusals.ofBody(() -> new Holder.Group(text));
    }

    static TenantId tenant(String text) {
        return Refusals.ofBody(() -> new TenantId(text));
    }

    static SessionId session(String text) {
        return Refusals.ofBody(() -> new SessionId(text));
    }

    static UUID key(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw noKey();
        }
    }

    static HttpFailure noKey() {
        return HttpFailure.notFound("There is no key with this id.");
    }

    static HttpFailure noAgent(AgentId agent) {
        return HttpFailure.notFound("There is no agent '" + agent + "'.");
    }
}
