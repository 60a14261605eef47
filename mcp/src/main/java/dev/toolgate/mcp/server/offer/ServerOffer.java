package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.Revision;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The features of a server; one that is null is not offered, and its methods do not exist.
 *
 * @param instructions how a model should use the server; null for none
 * @param extensions the settings of additional extensions by name
 */
public record ServerOffer(
        Implementation info,
        @Nullable String instructions,
        OfferedTools tools,
        @Nullable OfferedResources resources,
        @Nullable OfferedPrompts prompts,
        @Nullable OfferedCompletions completions,
        @Nullable OfferedTasks tasks,
        Map<String, ObjectNode> extensions) {

    /** The capabilities as a revision declares them. */
    public ObjectNode capabilities(Revision revision) {
        ObjectNode capabilities = JsonNodeFactory.instance.objectNode();
        capabilities.putObject("logging");
        capabilities.putObject("tools").put("listChanged", true);
        if (resources != null) {
            capabilities.putObject("resources").put("subscribe", true).put("listChanged", true);
        }
        if (prompts != null) {
            capabilities.putObject("prompts").put("listChanged", true);
        }
        if (completions != null) {
            capabilities.putObject("completions");
        }
        if (tasks != null && revision == Revision.R2025_11_25) {
            ObjectNode declared = capabilities.putObject("tasks");
            declared.putObject("cancel");
            declared.putObject("requests").putObject("tools").putObject("call");
        }
        if (revision.era() == Era.MODERN && (tasks != null || !extensions.isEmpty())) {
            ObjectNode declared = capabilities.putObject("extensions");
            extensions.forEach(declared::set);
            if (tasks != null) {
                declared.putObject(MetaKeys.TASKS_EXTENSION);
            }
        }
        return capabilities;
    }
}
