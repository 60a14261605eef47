package dev.toolgate.store.upstream;

import dev.toolgate.core.call.AgentId;

/** Whose calls use an account at an MCP server. */
public sealed interface AccountSubject {
    /**
     * A person who makes calls, as whichever agent.
     *
     * @param principal the person's name in the audit log
     */
    record Person(String principal) implements AccountSubject {}

    /** An agent, whoever makes calls as it and has no account of their own. */
    record OfAgent(AgentId agent) implements AccountSubject {}

    /** As it is stored and shown. */
    default String text() {
        return switch (this) {
            case Person person -> "person:" + person.principal();
            case OfAgent of -> "agent:" + of.agent().value();
        };
    }
}
