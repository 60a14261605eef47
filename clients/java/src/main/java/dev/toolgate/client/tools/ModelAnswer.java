package dev.toolgate.client.tools;

import dev.toolgate.client.ToolgateException;
import java.util.function.Function;

/**
 * The answer to a call of a model.
 *
 * @param <T> what the tool returns
 */
public sealed interface ModelAnswer<T> {
    /** Applies the first function to the output, or the second one to the message for the model. */
    <R> R map(Function<? super T, ? extends R> ofOutput, Function<? super String, ? extends R> ofMessage);

    /**
     * The tool ran, and its outcome is on record.
     *
     * @param output what it returned
     * @param <T> what it returns
     */
    record Returned<T>(T output) implements ModelAnswer<T> {
        @Override
        public <R> R map(Function<? super T, ? extends R> ofOutput, Function<? super String, ? extends R> ofMessage) {
            return ofOutput.apply(output);
        }
    }

    /**
     * There is no output: the call was refused, the gate was unavailable, or the outcome could not be recorded.
     *
     * @param message the text for the model, without addresses and keys
     * @param reason the error of the gate, or of the connection to it
     * @param <T> what the tool returns
     */
    record NoOutput<T>(String message, ToolgateException reason) implements ModelAnswer<T> {
        @Override
        public <R> R map(Function<? super T, ? extends R> ofOutput, Function<? super String, ? extends R> ofMessage) {
            return ofMessage.apply(message);
        }
    }
}
