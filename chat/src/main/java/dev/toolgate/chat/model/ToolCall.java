package dev.toolgate.chat.model;

/**
 * A model's wish to use a tool.
 *
 * @param input the arguments as the model wrote them: JSON text, not yet checked
 */
public record ToolCall(String id, String name, String input) implements Block {
    /** The input of a tool that was called without arguments. */
    public static final String NO_ARGUMENTS = "{}";
}
