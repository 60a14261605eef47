package dev.toolgate.client.model;

import org.jspecify.annotations.Nullable;

/**
 * An agent to create. It may use nothing unless a template is given.
 *
 * @param agentId its id
 * @param name a display name
 * @param description what it is for
 * @param template the id or name of a template to apply at once
 * @param reason why, for the history
 */
public record NewAgent(
        String agentId,
        @Nullable String name,
        @Nullable String description,
        @Nullable String template,
        @Nullable String reason) {
    /** An agent without a name. */
    public static NewAgent of(String agentId) {
        return new NewAgent(agentId, null, null, null, null);
    }

    /** The same with a display name. */
    public NewAgent named(String display) {
        return new NewAgent(agentId, display, description, template, reason);
    }

    /** The same with a description. */
    public NewAgent describedAs(String text) {
        return new NewAgent(agentId, name, text, template, reason);
    }

    /** The same with the tools of a template. */
    public NewAgent withTemplate(String idOrName) {
        return new NewAgent(agentId, name, description, idOrName, reason);
    }

    /** The same with a reason for the history. */
    public NewAgent because(String why) {
        return new NewAgent(agentId, name, description, template, why);
    }
}
