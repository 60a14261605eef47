package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;

/** The holder of a permission: an agent, or a group for all its members. */
public sealed interface Holder {

    /** A single agent. */
    record Agent(AgentId id) implements Holder {}

    /** All members of a group. */
    record Group(String id) implements Holder {
        public Group {
            StoredText.checkName("A group id", id, 100);
        }
    }
}
