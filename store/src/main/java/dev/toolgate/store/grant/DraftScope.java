package dev.toolgate.store.grant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The agents and tools whose permissions a draft may change. */
public final class DraftScope {
    private static final int MAX_CELLS = 500_000;

    private final Map<String, Set<String>> toolsOf = new HashMap<>();
    private int cells;

    void add(String agent, String tool) {
        if (toolsOf.computeIfAbsent(agent, _ -> new HashSet<>()).add(tool)) {
            cells++;
        }
        if (cells > MAX_CELLS) {
            throw new PermissionSnapshots.TooMany(
                    "The changes concern more than " + MAX_CELLS + " agents and tools; try fewer at once.");
        }
    }

    /** Whether the draft changes nothing for any agent. */
    public boolean isEmpty() {
        return toolsOf.isEmpty();
    }

    public Set<String> agents() {
        return toolsOf.keySet();
    }

    public Set<String> tools() {
        return toolsOf.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    /** Whether the draft may change what an agent may do with a tool. */
    public boolean covers(String agent, String tool) {
        return toolsOf.getOrDefault(agent, Set.of()).contains(tool);
    }
}
