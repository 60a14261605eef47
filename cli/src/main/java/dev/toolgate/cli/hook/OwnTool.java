package dev.toolgate.cli.hook;

import dev.toolgate.core.json.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A built-in tool of a coding agent.
 *
 * @param name the agent's own name for it
 * @param danger {@code safe} or {@code dangerous}
 */
record OwnTool(String name, String description, String danger) {
    static List<OwnTool> of(HookedProgram client) {
        return switch (client) {
            case CLAUDE_CODE ->
                List.of(
                        dangerous("Bash", "Runs a command in the shell of Claude Code."),
                        dangerous("Write", "Writes a file."),
                        dangerous("Edit", "Changes a file."),
                        dangerous("NotebookEdit", "Changes a notebook."),
                        dangerous("WebFetch", "Fetches a page of the web."),
                        dangerous("WebSearch", "Searches the web."),
                        dangerous("Agent", "Starts another agent of Claude Code, whose calls are asked about too."),
                        safe("Read", "Reads a file."),
                        safe("Glob", "Finds files by their names."),
                        safe("Grep", "Finds files by their content."),
                        safe("TodoWrite", "Notes what is left to do."));
            case CODEX ->
                List.of(
                        dangerous("Bash", "Runs a command in the shell of Codex."),
                        dangerous("apply_patch", "Changes files."),
                        dangerous("spawn_agent", "Starts another agent of Codex, whose calls are asked about too."),
                        safe("view_image", "Looks at a picture."),
                        safe("update_plan", "Notes what is left to do."));
            case CURSOR ->
                List.of(
                        dangerous("Shell", "Runs a command in the shell of Cursor."),
                        dangerous("Write", "Writes a file."),
                        dangerous("Delete", "Deletes a file."),
                        dangerous("Task", "Starts another agent of Cursor, whose calls are asked about too."),
                        safe("Read", "Reads a file."),
                        safe("Grep", "Finds files by their content."));
        };
    }

    private static OwnTool dangerous(String name, String description) {
        return new OwnTool(name, description, "dangerous");
    }

    private static OwnTool safe(String name, String description) {
        return new OwnTool(name, description, "safe");
    }

    /** How it is registered at the gate; the coding agent checks the arguments itself. */
    ObjectNode registration() {
        ObjectNode body =
                Json.MAPPER.createObjectNode().put("description", description).put("danger", danger);
        body.putObject("input_schema").put("type", "object");
        return body;
    }
}
