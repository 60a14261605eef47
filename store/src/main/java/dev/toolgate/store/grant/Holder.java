package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;

/** Who holds a grant: an agent, or a group for all its members. */
public sealed interface Holder {

    /** An agent for itself. */
    record Agent(AgentId id) implements Holder {}

    /** A group for all its members. */
    record Group(String id) implements Holder {
        public Group {
            StoredText.checkName("A group id", id, 100);
        }
    }
}
