package dev.toolgate.client.tools;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a tool that this program ran.
 *
 * @param output what the tool returned
 * @param recorded what is recorded of it: text, or anything that can be written as JSON
 * @param error why the tool failed; null if it succeeded
 * @param <T> what the tool returns
 */
public record ToolRun<T>(
        T output, @Nullable Object recorded, @Nullable String error) {
    /** The tool succeeded. */
    public static <T> ToolRun<T> succeeded(T output, @Nullable Object recorded) {
        return new ToolRun<>(output, recorded, null);
    }

    /** The tool failed, and its output says so. */
    public static <T> ToolRun<T> failed(T output, String error) {
        return new ToolRun<>(output, null, error);
    }
}
