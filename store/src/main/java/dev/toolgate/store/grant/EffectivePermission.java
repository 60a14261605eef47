package dev.toolgate.store.grant;

import java.util.List;

/**
 * The effective permission of an agent for one tool.
 *
 * @param state the combined state of all sources
 * @param sources the permissions of the agent itself and of each of its groups
 */
public record EffectivePermission(String toolName, Permission.State state, List<Source> sources) {
    public EffectivePermission {
        sources = List.copyOf(sources);
    }

    /** One of the permissions it results from. */
    public record Source(Permission permission, Permission.State state) {}
}
