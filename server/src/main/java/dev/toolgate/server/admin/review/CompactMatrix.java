package dev.toolgate.server.admin.review;

import dev.toolgate.core.tool.Tool;
import dev.toolgate.store.grant.MatrixCell;
import dev.toolgate.store.grant.PermissionSnapshot;
import dev.toolgate.store.grant.PermissionSnapshots;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What every agent may do with every tool, one letter a cell.
 *
 * @param version the version of the tenant's permissions
 * @param toolsLeftOut how many names of no existing tool were left out because there are too many
 * @param agents agents with the same groups are adjacent
 * @param endsSoonDays how many days before its end a permission counts as ending soon
 * @param legend what each letter stands for
 */
record CompactMatrix(
        long version,
        List<Column> tools,
        int toolsLeftOut,
        List<String> groups,
        List<Line> agents,
        long endsSoonDays,
        Map<Character, CellLetters.Meaning> legend) {
    private static final int MAX_TOOLS = 2_000;

    /**
     * A tool.
     *
     * @param exists false if there is a permission for this name but no such tool
     */
    record Column(String name, boolean exists) {}

    /**
     * An agent.
     *
     * @param groups positions in the list of groups
     * @param cells a letter for each tool, in the order of the tools
     */
    record Line(String agentId, @Nullable String name, String trustLevel, List<Integer> groups, String cells) {}

    static CompactMatrix of(PermissionSnapshots.Page page, List<Tool<?>> catalog, Instant now) {
        PermissionSnapshot permissions = page.permissions();
        Set<String> existing = catalog.stream().map(tool -> tool.spec().name()).collect(Collectors.toSet());
        Set<String> others = new TreeSet<>(permissions.tools());
        others.removeAll(existing);
        Set<String> names = new TreeSet<>(existing);
        int leftOut = 0;
        for (String other : others) {
            if (names.size() < MAX_TOOLS) {
                names.add(other);
            } else {
                leftOut++;
            }
        }
        List<String> tools = List.copyOf(names);
        Map<String, Integer> groups = new HashMap<>();
        List<String> groupNames = new ArrayList<>();
        List<Line> lines = new ArrayList<>();
        // Adjacent equal rows make the compressed response a fifth smaller.
        List<PermissionSnapshots.Row> agents = page.agents().stream()
                .sorted(Comparator.comparing((PermissionSnapshots.Row agent) ->
                        permissions.groupsOf(agent.agentId()).toString()))
                .toList();
        for (PermissionSnapshots.Row agent : agents) {
            List<Integer> memberships = permissions.groupsOf(agent.agentId()).stream()
                    .map(group -> groups.computeIfAbsent(group, _ -> {
                        groupNames.add(group);
                        return groupNames.size() - 1;
                    }))
                    .toList();
            lines.add(new Line(
                    agent.agentId(),
                    agent.name(),
                    agent.trustLevel(),
                    memberships,
                    letters(permissions.cells(agent.agentId(), tools, now))));
        }
        return new CompactMatrix(
                permissions.version(),
                tools.stream()
                        .map(tool -> new Column(tool, existing.contains(tool)))
                        .toList(),
                leftOut,
                groupNames,
                lines,
                PermissionSnapshot.SOON.toDays(),
                CellLetters.legend());
    }

    private static String letters(List<MatrixCell> cells) {
        StringBuilder letters = new StringBuilder(cells.size());
        cells.forEach(cell -> letters.append(CellLetters.of(cell)));
        return letters.toString();
    }
}
