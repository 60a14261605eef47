package dev.toolgate.server.admin.permission;

import dev.toolgate.core.tool.Tool;
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
 * One page of the matrix of agents and tools.
 *
 * @param tools every existing tool, and names of no existing tool for which an agent of this page has a permission
 */
record MatrixAnswer(Collection<String> tools, List<Row> agents) {

    /**
     * The permissions of one agent itself, without those of its groups.
     *
     * @param permissions by tool
     */
    record Row(String agentId, @Nullable String name, Map<String, PermissionAnswer> permissions, List<String> groups) {}

    static MatrixAnswer of(
            PermissionPage page,
            List<Agent> agents,
            Map<String, List<String>> groups,
            List<Tool<?>> catalog,
            Instant now) {
        SortedSet<String> tools = new TreeSet<>();
        catalog.forEach(tool -> tools.add(tool.spec().name()));
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
