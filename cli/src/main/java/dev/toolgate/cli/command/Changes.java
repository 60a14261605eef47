package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The same change for several tools, applied all or none. */
public final class Changes {
    private final String holderField;
    private final String holder;
    private final List<String> tools;

    private Changes(String holderField, String holder, List<String> tools) {
        this.holderField = holderField;
        this.holder = holder;
        this.tools = tools;
    }

    static Changes ofAgent(String agent, List<String> tools) {
        return new Changes("agent_id", agent, tools);
    }

    static Changes ofGroup(String group, List<String> tools) {
        return new Changes("group_id", group, tools);
    }

    /**
     * Makes the changes.
     *
     * @param setting completes the change of each tool
     */
    JsonNode make(Api api, Consumer<ObjectNode> setting, ReasonOption reason) throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode();
        ArrayNode changes = body.putArray("changes");
        for (String tool : tools) {
            setting.accept(changes.addObject().put(holderField, holder).put("tool_name", tool));
        }
        reason.into(body);
        return api.send("POST", RequestTarget.api("permissions", "bulk"), body);
    }

    /** The holder and the tools, for messages. */
    String about() {
        return PrintableText.of(holder) + ": " + PrintableText.of(String.join(", ", tools));
    }
}
