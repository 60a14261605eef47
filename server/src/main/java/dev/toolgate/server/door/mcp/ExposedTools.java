package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.Effect;
import dev.toolgate.core.tool.PromptSource;
import dev.toolgate.core.tool.ResourceSource;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.mcp.protocol.HeaderParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** All tools of a tenant as MCP clients see them, regardless of permissions, in the order of their names. */
final class ExposedTools {
    private static final Logger LOG = LoggerFactory.getLogger(ExposedTools.class);

    private final ToolCatalog catalog;
    private final Map<TenantId, Snapshot> byTenant = new ConcurrentHashMap<>();
    private Snapshot latest = new Snapshot(List.of(), Map.of(), List.of(), List.of(), List.of());

    ExposedTools(ToolCatalog catalog) {
        this.catalog = catalog;
        catalog.onChange(byTenant::clear); // so that nothing of deleted tenants is kept
    }

    /**
     * A tool as clients see it.
     *
     * @param definition as listed; never modified
     * @param digest changes with the definition
     * @param mirrored the arguments that clients also send as headers
     */
    record Exposed(
            String name, Tool<?> tool, ObjectNode definition, int digest, List<HeaderParameters.Parameter> mirrored) {
        static Exposed of(String name, Tool<?> tool) {
            ObjectNode definition = ExposedTools.definition(name, tool);
            List<HeaderParameters.Parameter> mirrored =
                    switch (HeaderParameters.of(definition.path("inputSchema"))) {
                        case HeaderParameters.Valid valid -> valid.parameters();
                        case HeaderParameters.Invalid _ -> List.of(); // clients leave such a tool out
                    };
            return new Exposed(name, tool, definition, definition.hashCode(), mirrored);
        }
    }

    /**
     * A snapshot of the tools.
     *
     * @param source the catalogue's list that it was made from
     * @param tools the tools of {@code all}, in the same order
     * @param sources the tools that clients see as prompts and resources
     */
    record Snapshot(
            List<Tool<?>> source,
            Map<String, Exposed> byName,
            List<Exposed> all,
            List<Tool<?>> tools,
            List<Tool<?>> sources) {}

    /** The current tools. */
    @SuppressWarnings("ReferenceEquality") // the catalogue returns the same list until a tool is added or removed
    Snapshot now(TenantId tenant) {
        List<Tool<?>> source = catalog.runHere(tenant);
        Snapshot known = byTenant.get(tenant);
        if (known != null && known.source() == source) {
            return known;
        }
        Snapshot fresh = shared(source);
        byTenant.put(tenant, fresh);
        return fresh;
    }

    /** Most tenants have the same tools; they share one snapshot. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized Snapshot shared(List<Tool<?>> source) {
        if (latest.source() != source) {
            latest = snapshot(source);
        }
        return latest;
    }

    /** The tool with this exposed name; {@code null} if there is none. */
    @Nullable
    Exposed named(TenantId tenant, String name) {
        return now(tenant).byName().get(name);
    }

    private static Snapshot snapshot(List<Tool<?>> source) {
        TreeMap<String, Exposed> byName = new TreeMap<>();
        List<Tool<?>> sources = new ArrayList<>();
        for (Tool<?> tool : source) {
            if (tool instanceof PromptSource || tool instanceof ResourceSource) {
                sources.add(tool);
                continue;
            }
            String name = ExposedName.of(tool.spec().name());
            if (byName.putIfAbsent(name, Exposed.of(name, tool)) != null) {
                LOG.error(
                        "Tool '{}' is not offered over MCP: another one has the name {}",
                        tool.spec().name(),
                        name);
            }
        }
        List<Exposed> all = List.copyOf(byName.values());
        return new Snapshot(
                source, byName, all, all.stream().<Tool<?>>map(Exposed::tool).toList(), List.copyOf(sources));
    }

    private static ObjectNode definition(String name, Tool<?> tool) {
        return tool.listedAs().map(listed -> listed(name, listed, tool.spec())).orElseGet(() -> own(name, tool.spec()));
    }

    private static ObjectNode own(String name, ToolSpec<?> spec) {
        ObjectNode definition = Json.MAPPER.createObjectNode();
        String title = title(spec.name());
        definition.put("name", name).put("title", title).put("description", spec.description());
        definition.set("inputSchema", spec.definition().inputSchema());
        spec.resultSchema().ifPresent(schema -> definition.set("outputSchema", schema));
        definition
                .putObject("annotations")
                .put("title", title)
                .put("readOnlyHint", spec.effect() != Effect.CHANGES)
                .put("destructiveHint", isDestructive(spec))
                .put("idempotentHint", spec.effect() != Effect.CHANGES)
                .put("openWorldHint", spec.effect() == Effect.SENDS || isOutside(spec.category()));
        return definition;
    }

    /**
     * The definition of a server behind the gate; its hints can only make the tool look more dangerous than the gate
     * rates it, not less.
     */
    private static ObjectNode listed(String name, ObjectNode listed, ToolSpec<?> spec) {
        ObjectNode definition = listed.deepCopy();
        definition.put("name", name);
        definition.remove("execution"); // whether a call becomes a task is up to the gate
        ObjectNode hints = definition.path("annotations") instanceof ObjectNode given
                ? given
                : definition.putObject("annotations");
        hints.put(
                "readOnlyHint",
                spec.effect() != Effect.CHANGES && hints.path("readOnlyHint").asBoolean(false));
        hints.put(
                "destructiveHint",
                isDestructive(spec) || hints.path("destructiveHint").asBoolean(false));
        if (hints.has("openWorldHint")) { // without it a tool's world is open
            hints.put(
                    "openWorldHint",
                    spec.effect() != Effect.READS || hints.path("openWorldHint").asBoolean(true));
        }
        return definition;
    }

    private static boolean isDestructive(ToolSpec<?> spec) {
        return spec.effect() == Effect.CHANGES && spec.danger() == Danger.DANGEROUS;
    }

    private static String title(String name) {
        String words = name.replace('_', ' ').replace('/', ' ').strip();
        return words.isEmpty() ? name : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static boolean isOutside(Category category) {
        return switch (category) {
            case NETWORK, GITHUB, REMOTE, MCP, EXTERNAL -> true;
            case FILE, EXEC, SEARCH, MEMORY, DATA -> false;
        };
    }
}
