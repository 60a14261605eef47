package dev.toolgate.client.tools;

import dev.toolgate.client.ToolgateException;

/**
 * The answer to a call of a model.
 *
 * @param <T> what the tool returns
 */
public sealed interface ModelAnswer<T> {
    /**
     * The tool ran, and its outcome is on record.
     *
     * @param output what it returned
     * @param <T> what it returns
     */
    record Returned<T>(T output) implements ModelAnswer<T> {}

    /**
     * There is no output: the call was refused, the gate could not be asked, or the outcome could not be recorded.
     *
     * @param message what the model is told, without addresses and keys
     * @param reason what the gate, or the way to it, answered
     * @param <T> what the tool returns
     */
    record NoOutput<T>(String message, ToolgateException reason) implements ModelAnswer<T> {}
}
