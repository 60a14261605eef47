package dev.toolgate.core.call;

import dev.toolgate.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes calls as JSON, so that a held call can run later exactly as it was sent. Listener and cancellation
 * are not stored; the request id of a stored call counts as chosen by its caller.
 */
public final class CallJson {
    private CallJson() {}

    /** The call as a JSON text. */
    public static String write(Call call) {
        Caller caller = call.caller();
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("requestId", call.requestId().value());
        node.put("tenant", caller.tenant().value()).put("agent", caller.agent().value());
        node.put("session", caller.session() == null ? null : caller.session().value());
        node.put("workspace", caller.workspace().value()).put("principal", caller.principal());
        node.put("tool", call.toolName()).put("operation", call.operation()).put("project", call.project());
        node.set("arguments", call.arguments());
        node.set("bounds", write(call.bounds()));
        if (call.scope() != null) {
            ObjectNode scope = node.putObject("scope");
            call.scope().permissions().forEach((tool, permission) -> scope.set(tool, write(permission)));
        }
        node.put("trust", call.trust() == null ? null : call.trust().wireName());
        node.put("whenHeld", call.whenHeld().name());
        node.put("permitFor", text(call.permitFor()));
        node.set("context", write(call.context()));
        return node.toString();
    }

    /** Reads a call written by {@link #write}. Its caller collects the outcome later, unless it cannot. */
    public static Call read(String json) {
        JsonNode node = Json.MAPPER.readTree(json);
        String session = text(node, "session");
        Caller caller = new Caller(
                new TenantId(node.path("tenant").stringValue()),
                new AgentId(node.path("agent").stringValue()),
                session == null ? null : new SessionId(session),
                new WorkspaceId(node.path("workspace").stringValue()),
                node.path("principal").stringValue());
        String trust = text(node, "trust");
        return Call.of(caller, node.path("tool").stringValue(), (ObjectNode) node.path("arguments"))
                .as(new RequestId(node.path("requestId").stringValue()))
                .purpose(node.path("operation").stringValue(), text(node, "project"))
                .within(bounds(node.path("bounds")))
                .scopedTo(node.has("scope") ? scope(node.path("scope")) : null)
                // An unknown level is treated as the strictest.
                .trusting(trust == null ? null : TrustLevel.of(trust).orElse(TrustLevel.SUPERVISED))
                .held(whenHeld(text(node, "whenHeld")))
                .permittedFor(duration(node, "permitFor"))
                .from(context(node.path("context")));
    }

    private static ObjectNode write(CallContext context) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("correlationId", context.correlationId());
        node.put("conversationId", context.conversationId());
        node.put("messageId", context.messageId()).put("toolCallId", context.toolCallId());
        node.put("taskId", context.taskId()).put("stepId", context.stepId());
        node.put(
                "clientTimestamp",
                context.clientTimestamp() == null
                        ? null
                        : context.clientTimestamp().toString());
        node.put("client", context.client());
        return node.put("undoes", context.undoes());
    }

    // Calls held by earlier versions have no context.
    private static CallContext context(JsonNode node) {
        String clientTimestamp = text(node, "clientTimestamp");
        return new CallContext(
                text(node, "correlationId"),
                text(node, "conversationId"),
                text(node, "messageId"),
                text(node, "toolCallId"),
                text(node, "taskId"),
                text(node, "stepId"),
                clientTimestamp == null ? null : Instant.parse(clientTimestamp),
                text(node, "client"),
                text(node, "undoes"));
    }

    private static Call.WhenHeld whenHeld(@Nullable String stored) {
        return Call.WhenHeld.WAIT_OR_WITHDRAW.name().equals(stored)
                ? Call.WhenHeld.WAIT_OR_WITHDRAW
                : Call.WhenHeld.RETURN;
    }

    private static ObjectNode write(Bounds bounds) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("maxFileSizeBytes", bounds.maxFileSizeBytes()).put("maxOutputBytes", bounds.maxOutputBytes());
        node.put("timeout", text(bounds.timeout()));
        node.set("allowedPaths", Json.MAPPER.valueToTree(bounds.allowedPaths()));
        node.set("blockedPaths", Json.MAPPER.valueToTree(bounds.blockedPaths()));
        node.set("allowedDomains", Json.MAPPER.valueToTree(bounds.allowedDomains()));
        node.set("allowedCommands", Json.MAPPER.valueToTree(bounds.allowedCommands()));
        node.set("blockedCommands", Json.MAPPER.valueToTree(bounds.blockedCommands()));
        return node;
    }

    private static Bounds bounds(JsonNode node) {
        JsonNode size = node.path("maxFileSizeBytes");
        JsonNode output = node.path("maxOutputBytes");
        return new Bounds(
                size.isNumber() ? size.longValue() : null,
                output.isNumber() ? output.intValue() : null,
                duration(node, "timeout"),
                texts(node.path("allowedPaths")),
                textsOrNone(node.path("blockedPaths")),
                texts(node.path("allowedDomains")),
                texts(node.path("allowedCommands")),
                textsOrNone(node.path("blockedCommands")));
    }

    private static ObjectNode write(ToolPermission permission) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("allowed", permission.allowed()).put("timeout", text(permission.timeout()));
        node.set("paths", Json.MAPPER.valueToTree(permission.paths()));
        return node;
    }

    private static ToolScope scope(JsonNode node) {
        Map<String, ToolPermission> permissions = new LinkedHashMap<>();
        node.properties().forEach(entry -> {
            JsonNode permission = entry.getValue();
            permissions.put(
                    entry.getKey(),
                    new ToolPermission(
                            permission.path("allowed").booleanValue(),
                            textsOrNone(permission.path("paths")),
                            duration(permission, "timeout")));
        });
        return new ToolScope(permissions);
    }

    private static @Nullable String text(@Nullable Duration duration) {
        return duration == null ? null : duration.toString();
    }

    private static @Nullable Duration duration(JsonNode node, String field) {
        String text = text(node, field);
        return text == null ? null : Duration.parse(text);
    }

    private static @Nullable String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isString() ? value.stringValue() : null;
    }

    private static List<String> textsOrNone(JsonNode node) {
        List<String> texts = texts(node);
        return texts == null ? List.of() : texts;
    }

    private static @Nullable List<String> texts(JsonNode node) {
        if (!node.isArray()) {
            return null;
        }
        List<String> texts = new ArrayList<>(node.size());
        node.forEach(text -> texts.add(text.stringValue()));
        return texts;
    }
}
