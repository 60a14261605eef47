package dev.toolgate.server.door.hook;

import dev.toolgate.core.json.Json;
import dev.toolgate.http.routing.Exchange;
import tools.jackson.databind.node.ObjectNode;

/** The coding agents whose hooks the gate answers: how each describes a call, and the response format it expects. */
enum HookClient {
    CLAUDE_CODE("claude-code") {
        @Override
        HookEvent read(Exchange exchange) {
            return ClaudeCodeEvent.read(exchange);
        }

        @Override
        ObjectNode allow(String reason) {
            return decision("allow", reason);
        }

        @Override
        ObjectNode deny(String reason) {
            return decision("deny", reason);
        }

        @Override
        ObjectNode warn(String message) {
            return Json.MAPPER.createObjectNode().put("systemMessage", message);
        }
    },
    CODEX("codex") {
        @Override
        HookEvent read(Exchange exchange) {
            return CodexEvent.read(exchange);
        }

        // Codex rejects "allow" as invalid and runs every call that is not denied.
        @Override
        ObjectNode allow(String reason) {
            ObjectNode body = Json.MAPPER.createObjectNode();
            body.putObject("hookSpecificOutput").put("hookEventName", "PreToolUse");
            return body;
        }

        @Override
        ObjectNode deny(String reason) {
            return decision("deny", reason);
        }

        @Override
        ObjectNode warn(String message) {
            return Json.MAPPER.createObjectNode().put("systemMessage", message);
        }
    },
    CURSOR("cursor") {
        @Override
        HookEvent read(Exchange exchange) {
            return CursorEvent.read(exchange);
        }

        @Override
        ObjectNode allow(String reason) {
            return Json.MAPPER.createObjectNode().put("permission", "allow");
        }

        @Override
        ObjectNode deny(String reason) {
            return Json.MAPPER
                    .createObjectNode()
                    .put("permission", "deny")
                    .put("user_message", reason)
                    .put("agent_message", reason);
        }

        // Cursor shows no message to the user after a call, only to the model.
        @Override
        ObjectNode warn(String message) {
            return Json.MAPPER.createObjectNode().put("additional_context", message);
        }
    };

    private final String wireName;

    HookClient(String wireName) {
        this.wireName = wireName;
    }

    /** Reads the event of a request. */
    abstract HookEvent read(Exchange exchange);

    /** The response that lets the tool run. */
    abstract ObjectNode allow(String reason);

    /** The response that prevents the tool from running. */
    abstract ObjectNode deny(String reason);

    /** The response that, after the tool ran, warns of a problem with the hook. */
    abstract ObjectNode warn(String message);

    /** The path of its hook. */
    String path() {
        return "/hooks/" + wireName;
    }

    /** The prefix of its tool names, which keeps them distinct from other tools. */
    String toolPrefix() {
        return wireName + ":";
    }

    /** Its name in paths, records and names of tools. */
    @Override
    public String toString() {
        return wireName;
    }

    private static ObjectNode decision(String decision, String reason) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.putObject("hookSpecificOutput")
                .put("hookEventName", "PreToolUse")
                .put("permissionDecision", decision)
                .put("permissionDecisionReason", reason);
        return body;
    }
}
