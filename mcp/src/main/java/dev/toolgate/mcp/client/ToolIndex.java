package dev.toolgate.mcp.client;

import dev.toolgate.mcp.protocol.HeaderParameters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which tools of a server can be used, and which of their arguments are mirrored into headers. */
final class ToolIndex {
    /** Whether the rules for mirrored arguments apply, which need a transport with headers. */
    enum Mirroring {
        ON,
        OFF
    }

    private static final int MAX_NAME = 1_024;

    private volatile Map<String, List<HeaderParameters.Parameter>> mirrored = Map.of();

    /** The mirrored arguments of a tool; empty for a tool that was not listed. */
    List<HeaderParameters.Parameter> mirrored(String tool) {
        return mirrored.getOrDefault(tool, List.of());
    }

    /** Separates the unusable tools and remembers the others. */
    ToolList sort(List<ObjectNode> listed, Mirroring mirroring) {
        List<ObjectNode> usable = new ArrayList<>(listed.size());
        List<ToolList.InvalidTool> invalidTools = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Map<String, List<HeaderParameters.Parameter>> found = new HashMap<>();
        for (ObjectNode tool : listed) {
            JsonNode name = tool.get("name");
            if (name == null || !name.isString() || name.stringValue().isEmpty()) {
                invalidTools.add(new ToolList.InvalidTool("", "it has no name"));
            } else if (name.stringValue().length() > MAX_NAME) {
                invalidTools.add(new ToolList.InvalidTool(name.stringValue().substring(0, 64), "its name is too long"));
            } else if (!(tool.get("inputSchema") instanceof ObjectNode schema)) {
                invalidTools.add(new ToolList.InvalidTool(name.stringValue(), "it has no input schema"));
            } else if (!names.add(name.stringValue())) {
                invalidTools.add(new ToolList.InvalidTool(name.stringValue(), "it is listed twice"));
            } else {
                switch (mirroring == Mirroring.ON
                        ? HeaderParameters.of(schema)
                        : new HeaderParameters.Valid(List.of())) {
                    case HeaderParameters.Valid valid -> {
                        usable.add(tool);
                        if (!valid.parameters().isEmpty()) {
                            found.put(name.stringValue(), valid.parameters());
                        }
                    }
                    case HeaderParameters.Invalid invalid ->
                        invalidTools.add(new ToolList.InvalidTool(
                                name.stringValue(), "its arguments cannot be mirrored: " + invalid.reason()));
                }
            }
        }
        mirrored = Map.copyOf(found);
        return new ToolList(List.copyOf(usable), List.copyOf(invalidTools));
    }
}
