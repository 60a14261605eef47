package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.server.http.BadRequest;

/** Ids from paths and queries. */
final class Ids {
    private Ids() {}

    static AgentId agent(String text) {
        try {
            return new AgentId(text);
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(String.valueOf(wrong.getMessage()));
        }
    }
}
