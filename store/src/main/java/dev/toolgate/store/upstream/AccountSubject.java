package dev.toolgate.store.upstream;

import dev.toolgate.core.call.AgentId;

/** Whose calls use an account at an MCP server. */
public sealed interface AccountSubject {
    /**
     * A person who makes calls, through any agent.
     *
     * @param principal the person's name in the audit log
     */
    record Person(String principal) implements AccountSubject {}

    /** An agent, for callers without an account of their own. */
    record OfAgent(AgentId agent) implements AccountSubject {}

    /** The stored and displayed form. */
    default String text() {
        return switch (this) {
            case Person person -> "person:" + person.principal();
            case OfAgent of -> "agent:" + of.agent().value();
        };
    }
}
