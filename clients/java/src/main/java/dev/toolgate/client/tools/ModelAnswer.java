package dev.toolgate.client.tools;

import dev.toolgate.client.ToolgateException;
import java.util.function.Function;

/**
 * The answer to a call of a model.
 *
 * @param <T> what the tool returns
 */
public sealed interface ModelAnswer<T> {
    /** What the first function makes of the output, or the second one of the message to the model. */
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
     * There is no output: the call was refused, the gate could not be asked, or the outcome could not be recorded.
     *
     * @param message what the model is told, without addresses and keys
     * @param reason what the gate, or the way to it, answered
     * @param <T> what the tool returns
     */
    record NoOutput<T>(String message, ToolgateException reason) implements ModelAnswer<T> {
        @Override
        public <R> R map(Function<? super T, ? extends R> ofOutput, Function<? super String, ? extends R> ofMessage) {
            return ofMessage.apply(message);
        }
    }
}
