package dev.toolgate.client.tools;

import org.jspecify.annotations.Nullable;

/**
 * What became of a tool that this program ran.
 *
 * @param output what the tool returned
 * @param recorded what is recorded of it: text, or anything that can be written as JSON
 * @param error why the tool failed; null if it succeeded
 * @param <T> what the tool returns
 */
public record ToolRun<T>(
        T output, @Nullable Object recorded, @Nullable String error) {
    /** The tool did its work. */
    public static <T> ToolRun<T> succeeded(T output, @Nullable Object recorded) {
        return new ToolRun<>(output, recorded, null);
    }

    /** The tool failed, and says so by what it returned. */
    public static <T> ToolRun<T> failed(T output, String error) {
        return new ToolRun<>(output, null, error);
    }
}
