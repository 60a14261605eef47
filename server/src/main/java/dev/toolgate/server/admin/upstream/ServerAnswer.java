package dev.toolgate.server.admin.upstream;

import dev.toolgate.core.json.Json;
import dev.toolgate.runtime.upstream.UpstreamState;
import dev.toolgate.server.upstream.DefinitionDifference;
import dev.toolgate.server.upstream.DescriptionScan;
import dev.toolgate.server.upstream.ScanFinding;
import dev.toolgate.store.upstream.McpServerJson;
import dev.toolgate.store.upstream.McpServerRepository.ServerWithTools;
import dev.toolgate.store.upstream.PinnedDefinition;
import dev.toolgate.store.upstream.StoredServer;
import dev.toolgate.store.upstream.ToolPin;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An MCP server as a JSON response, and as recorded in the audit log. */
final class ServerAnswer {
    private ServerAnswer() {}

    /** A server in a list, with the number of its tools in each state. */
    static ObjectNode summary(ServerWithTools server, Optional<UpstreamState> state) {
        StoredServer stored = server.server();
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("name", stored.name().value());
        answer.put("source", stored.source().name().toLowerCase(Locale.ROOT));
        answer.set("settings", McpServerJson.write(stored.settings()));
        answer.set("connection", connection(state));
        ObjectNode counts = answer.putObject("tool_counts");
        for (ToolPin.State each : ToolPin.State.values()) {
            counts.put(
                    each.wireName(),
                    server.tools().stream().filter(pin -> pin.state() == each).count());
        }
        answer.put("created_at", stored.createdAt().toString());
        answer.put("created_by", stored.createdBy());
        answer.put("updated_at", stored.updatedAt().toString());
        answer.put("updated_by", stored.updatedBy());
        return answer;
    }

    /** A server with its tools. */
    static ObjectNode details(ServerWithTools server, Optional<UpstreamState> state, Map<String, String> problems) {
        ObjectNode answer = summary(server, state);
        ArrayNode tools = answer.putArray("tools");
        server.tools().forEach(pin -> tools.add(tool(server.server(), pin, problems.get(pin.tool()))));
        return answer;
    }

    private static ObjectNode connection(Optional<UpstreamState> state) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        if (state.isEmpty()) {
            return answer.put("state", "disabled");
        }
        switch (state.get()) {
            case UpstreamState.NotStarted _ -> answer.put("state", "not_started");
            case UpstreamState.Connected connected -> {
                answer.put("state", "connected");
                answer.put("since", connected.since().toString());
                answer.put("protocol_version", connected.server().version());
                if (connected.server().server() != null) {
                    answer.put(
                            "server_name", shortened(connected.server().server().name()));
                    answer.put(
                            "server_version",
                            shortened(connected.server().server().version()));
                }
            }
            case UpstreamState.Unavailable unavailable -> {
                answer.put("state", "unavailable");
                answer.put("since", unavailable.since().toString());
                answer.put("retry_at", unavailable.retryAt().toString());
                answer.put("message", shortened(unavailable.why()));
            }
        }
        return answer;
    }

    private static String shortened(String text) {
        return text.length() <= 500 ? text : text.substring(0, 500) + "…";
    }

    /** A tool with its definitions, what the scan found in them, and how they differ. */
    static ObjectNode tool(StoredServer server, ToolPin pin, @Nullable String problem) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("name", pin.tool());
        answer.put("tool_name", server.name() + "/" + pin.tool());
        answer.put("state", pin.state().wireName());
        PinnedDefinition agreed = pin.agreed();
        PinnedDefinition waiting = pin.waiting();
        answer.set("agreed", agreed == null ? null : definition(agreed, pin.agreedBy(), pin.agreedAt()));
        answer.set("waiting", waiting == null ? null : definition(waiting, null, pin.waitingSince()));
        PinnedDefinition offered = waiting == null ? agreed : waiting;
        ArrayNode findings = answer.putArray("findings");
        if (offered != null) {
            DescriptionScan.of(offered.json()).forEach(finding -> findings.add(finding(finding)));
        }
        ArrayNode differences = answer.putArray("differences");
        if (agreed != null && waiting != null) {
            DefinitionDifference.Found found = DefinitionDifference.between(agreed.json(), waiting.json());
            found.first().forEach(difference -> differences
                    .addObject()
                    .put("where", difference.where())
                    .put("before", difference.before())
                    .put("after", difference.after()));
            if (found.more() > 0) {
                answer.put("more_differences", found.more());
            }
        }
        if (pin.refusedBy() != null) {
            answer.put("refused_by", pin.refusedBy());
        }
        if (problem != null) {
            answer.put("problem", problem);
        }
        return answer;
    }

    private static ObjectNode definition(PinnedDefinition definition, @Nullable String by, @Nullable Instant at) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("hash", definition.hash());
        if (by != null) {
            answer.put("by", by);
        }
        if (at != null) {
            answer.put("at", at.toString());
        }
        answer.set("definition", definition.json());
        return answer;
    }

    private static ObjectNode finding(ScanFinding finding) {
        return Json.MAPPER
                .createObjectNode()
                .put("kind", finding.kind().wireName())
                .put("where", finding.where())
                .put("excerpt", finding.excerpt());
    }

    /**
     * A server as recorded: its settings, the names of its secrets, and its tools with the hashes of the agreed and the
     * waiting definitions.
     */
    static ObjectNode recorded(ServerWithTools server) {
        ObjectNode record = Json.MAPPER.createObjectNode();
        record.set("settings", McpServerJson.write(server.server().settings()));
        // The redactor would mask the names of secrets in their own fields.
        List<String> uses = List.copyOf(server.server().settings().secretNames());
        uses.forEach(record.putArray("uses")::add);
        ObjectNode tools = record.putObject("tools");
        server.tools().forEach(pin -> {
            PinnedDefinition agreed = pin.agreed();
            PinnedDefinition waiting = pin.waiting();
            tools.putObject(pin.tool())
                    .put("state", pin.state().wireName())
                    .put("agreed", agreed == null ? null : agreed.hash())
                    .put("waiting", waiting == null ? null : waiting.hash());
        });
        return record;
    }

    /** A tool as recorded, with its definitions. */
    static ObjectNode recorded(ToolPin pin) {
        ObjectNode record = Json.MAPPER.createObjectNode();
        record.put("state", pin.state().wireName());
        PinnedDefinition agreed = pin.agreed();
        PinnedDefinition waiting = pin.waiting();
        record.set("agreed", agreed == null ? null : definition(agreed, pin.agreedBy(), pin.agreedAt()));
        record.set("waiting", waiting == null ? null : definition(waiting, null, pin.waitingSince()));
        return record;
    }
}
