package dev.toolgate.server.admin.permission;

import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.store.directory.Agent;
import dev.toolgate.store.grant.Holder;
import dev.toolgate.store.grant.Permission;
import dev.toolgate.store.grant.PermissionPage;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of the matrix of agents and tools.
 *
 * @param tools every tool there is, and those that are only set for an agent of this page
 */
record MatrixAnswer(Collection<String> tools, List<Row> agents) {

    /**
     * What is set for one agent; what it has through its groups is not in it.
     *
     * @param permissions by tool
     */
    record Row(String agentId, @Nullable String name, Map<String, PermissionAnswer> permissions, List<String> groups) {}

    static MatrixAnswer of(
            PermissionPage page,
            List<Agent> agents,
            Map<String, List<String>> groups,
            ToolCatalog catalog,
            Instant now) {
        SortedSet<String> tools = new TreeSet<>();
        catalog.all().forEach(tool -> tools.add(tool.spec().name()));
        Map<String, Map<String, PermissionAnswer>> cells = new HashMap<>();
        for (Permission permission : page.permissions()) {
            tools.add(permission.toolName());
            if (permission.holder() instanceof Holder.Agent agent) {
                cells.computeIfAbsent(agent.id().value(), _ -> new TreeMap<>())
                        .put(permission.toolName(), PermissionAnswer.of(permission, now));
            }
        }
        Map<String, @Nullable String> names = new HashMap<>();
        agents.forEach(agent -> names.put(agent.agentId(), agent.name()));
        List<Row> rows = page.agents().stream()
                .map(id -> new Row(
                        id, names.get(id), cells.getOrDefault(id, Map.of()), groups.getOrDefault(id, List.of())))
                .toList();
        return new MatrixAnswer(tools, rows);
    }
}
