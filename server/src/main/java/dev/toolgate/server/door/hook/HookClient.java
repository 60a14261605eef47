package dev.toolgate.server.door.hook;

import dev.toolgate.core.json.Json;
import dev.toolgate.http.routing.Exchange;
import tools.jackson.databind.node.ObjectNode;

/** The coding agents whose hooks the gate answers: how each describes a call, and how it reads the answer. */
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

        // It has no word for a permitted call, and takes "allow" for a mistake: whatever is not denied runs.
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

        // It has no message for the user after a call, only one for the model.
        @Override
        ObjectNode warn(String message) {
            return Json.MAPPER.createObjectNode().put("additional_context", message);
        }
    };

    private final String word;

    HookClient(String word) {
        this.word = word;
    }

    /** What the client tells in a request. */
    abstract HookEvent read(Exchange exchange);

    /** The answer that lets the tool run. */
    abstract ObjectNode allow(String reason);

    /** The answer that keeps the tool from running. */
    abstract ObjectNode deny(String reason);

    /** The answer, after the tool ran, that something is wrong with the hook. */
    abstract ObjectNode warn(String message);

    /** The path of its hook. */
    String path() {
        return "/hooks/" + word;
    }

    /** Stands before the name of each of its tools, so that no other tool has its name. */
    String toolPrefix() {
        return word + ":";
    }

    /** Its name in paths, records and names of tools. */
    @Override
    public String toString() {
        return word;
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
