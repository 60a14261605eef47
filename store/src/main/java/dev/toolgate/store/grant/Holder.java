package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;

/** Who holds a grant: an agent, or a group for all its members. */
public sealed interface Holder {

    /** An agent for itself. */
    record Agent(AgentId id) implements Holder {}

    /** A group for all its members. */
    record Group(String id) implements Holder {
        public Group {
            if (id.isBlank() || id.length() > 100 || id.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("A group id must be 1 to 100 printable characters.");
            }
        }
    }
}
