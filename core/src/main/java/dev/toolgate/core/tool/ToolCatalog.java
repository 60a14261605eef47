package dev.toolgate.core.tool;

import dev.toolgate.core.call.ToolScope;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every tool, by every name. Reading never blocks: a registration publishes a new map, so calls in
 * flight keep the one they started with.
 */
public final class ToolCatalog {
    private volatile Map<String, Tool<?>> byName = Map.of();

    /** Adds a tool; a name that is taken, canonical or alias, is refused and nothing changes. */
    public synchronized void add(Tool<?> tool) {
        Map<String, Tool<?>> next = new HashMap<>(byName);
        tool.spec().names().forEach(name -> {
            if (next.putIfAbsent(name, tool) != null) {
                throw new IllegalArgumentException("A tool named '" + name + "' is already registered.");
            }
        });
        byName = Map.copyOf(next);
    }

    /** Takes a tool away, under all its names; for servers that come and go. */
    public synchronized void remove(String name) {
        Tool<?> gone = byName.get(name);
        if (gone != null) {
            Map<String, Tool<?>> next = new HashMap<>(byName);
            gone.spec().names().forEach(next::remove);
            byName = Map.copyOf(next);
        }
    }

    /** The tool with this name or alias. */
    public Optional<Tool<?>> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Every tool once, in the order of their canonical names. */
    public List<Tool<?>> all() {
        return byName.values().stream()
                .distinct()
                .sorted(Comparator.comparing(tool -> tool.spec().name()))
                .<Tool<?>>map(tool -> tool)
                .toList();
    }

    /** The tools a scope leaves available; all of them if there is no scope. */
    public List<Tool<?>> within(@Nullable ToolScope scope) {
        return all().stream()
                .filter(tool -> scope == null || tool.spec().permissionIn(scope).allowed())
                .toList();
    }
}
