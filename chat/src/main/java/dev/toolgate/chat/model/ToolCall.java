package dev.toolgate.chat.model;

/**
 * A tool call requested by a model.
 *
 * @param input the arguments as the model wrote them: unchecked JSON text
 */
public record ToolCall(String id, String name, String input) implements Block {
    /** The input of a call without arguments. */
    public static final String NO_ARGUMENTS = "{}";
}
