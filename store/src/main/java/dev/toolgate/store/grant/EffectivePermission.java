package dev.toolgate.store.grant;

import java.util.List;

/**
 * What an agent may do with one tool, all in all.
 *
 * @param state what the sources come to together
 * @param sources what is set for the agent itself and for each of its groups
 */
public record EffectivePermission(String toolName, Permission.State state, List<Source> sources) {
    public EffectivePermission {
        sources = List.copyOf(sources);
    }

    /** One of the permissions it follows from. */
    public record Source(Permission permission, Permission.State state) {}
}
