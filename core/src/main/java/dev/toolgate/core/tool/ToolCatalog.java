package dev.toolgate.core.tool;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.ToolScope;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * All tools by all their names: those that every tenant has, and those that sources such as MCP servers offer to one
 * tenant. Reads never block: a change publishes new maps, so running calls keep the old ones.
 */
public final class ToolCatalog {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Map<TenantId, Map<String, List<Tool<?>>>> offered = new HashMap<>();
    private volatile Published published = new Published(Tools.of(Map.of()), Map.of());

    private record Published(Tools shared, Map<TenantId, Tools> byTenant) {
        Tools of(TenantId tenant) {
            return byTenant.getOrDefault(tenant, shared);
        }
    }

    /**
     * A snapshot of tools.
     *
     * @param all sorted by canonical name
     * @param runHere those of them that the gate runs
     */
    private record Tools(Map<String, Tool<?>> byName, List<Tool<?>> all, List<Tool<?>> runHere) {
        static Tools of(Map<String, Tool<?>> byName) {
            List<Tool<?>> all = byName.values().stream()
                    .distinct()
                    .sorted(Comparator.comparing(tool -> tool.spec().name()))
                    .<Tool<?>>map(tool -> tool)
                    .toList();
            return new Tools(
                    Map.copyOf(byName),
                    all,
                    all.stream().filter(tool -> tool.runsAt() == RunsAt.GATE).toList());
        }

        Tools with(Collection<? extends Tool<?>> more) {
            Map<String, Tool<?>> next = new HashMap<>(byName);
            for (Tool<?> tool : more) {
                tool.spec().names().forEach(name -> {
                    if (next.putIfAbsent(name, tool) != null) {
                        throw new IllegalArgumentException("A tool named '" + name + "' is already registered.");
                    }
                });
            }
            return of(next);
        }
    }

    /** Registers a tool for every tenant; fails without change if one of its names is taken. */
    public void add(Tool<?> tool) {
        synchronized (this) {
            publish(published.shared().with(List.of(tool)));
        }
        changed();
    }

    /** Unregisters a tool of every tenant under all its names. */
    public void remove(String name) {
        synchronized (this) {
            Tool<?> gone = published.shared().byName().get(name);
            if (gone == null) {
                return;
            }
            Map<String, Tool<?>> next = new HashMap<>(published.shared().byName());
            gone.spec().names().forEach(next::remove);
            publish(Tools.of(next));
        }
        changed();
    }

    /**
     * Sets the tools that a source offers to a tenant, in place of those that it offered before. Fails without change
     * if a name is taken.
     */
    public void replace(TenantId tenant, String source, List<? extends Tool<?>> tools) {
        synchronized (this) {
            Map<String, List<Tool<?>>> sources = new TreeMap<>(offered.getOrDefault(tenant, Map.of()));
            Map<TenantId, Tools> byTenant = new HashMap<>(published.byTenant());
            if (tools.isEmpty()) {
                sources.remove(source);
            } else {
                sources.put(source, List.copyOf(tools));
            }
            if (sources.isEmpty()) {
                byTenant.remove(tenant);
            } else {
                byTenant.put(tenant, published.shared().with(flat(sources)));
            }
            offered.put(tenant, sources);
            published = new Published(published.shared(), Map.copyOf(byTenant));
        }
        changed();
    }

    private void publish(Tools shared) {
        Map<TenantId, Tools> byTenant = new HashMap<>();
        published
                .byTenant()
                .keySet()
                .forEach(tenant -> byTenant.put(tenant, shared.with(flat(offered.getOrDefault(tenant, Map.of())))));
        published = new Published(shared, Map.copyOf(byTenant));
    }

    private static List<Tool<?>> flat(Map<String, List<Tool<?>>> sources) {
        return sources.values().stream().<Tool<?>>flatMap(List::stream).toList();
    }

    /** Runs an action after every change of the tools or of what they offer. */
    public void onChange(Runnable action) {
        listeners.add(action);
    }

    /** Reports a change in what a tool offers besides itself, such as the prompts of its server. */
    public void offerChanged() {
        changed();
    }

    private void changed() {
        listeners.forEach(Runnable::run);
    }

    /** The tenant's tool with this name or alias. */
    public Optional<Tool<?>> find(TenantId tenant, String name) {
        return Optional.ofNullable(published.of(tenant).byName().get(name));
    }

    /** All tools of a tenant, sorted by canonical name; the same list until a tool is added or removed. */
    public List<Tool<?>> all(TenantId tenant) {
        return published.of(tenant).all();
    }

    /**
     * The tools of a tenant that the gate runs, sorted by canonical name, for doors that give no permits; the same list
     * until a tool is added or removed.
     */
    public List<Tool<?>> runHere(TenantId tenant) {
        return published.of(tenant).runHere();
    }

    /** Whether every tenant has a tool with this name or alias. */
    public boolean isShared(String name) {
        return published.shared().byName().containsKey(name);
    }

    /** The tools of a tenant that the gate runs and a scope allows; all of them without one. */
    public List<Tool<?>> within(TenantId tenant, @Nullable ToolScope scope) {
        return runHere(tenant).stream()
                .filter(tool -> scope == null || tool.spec().permissionIn(scope).allowed())
                .toList();
    }
}
