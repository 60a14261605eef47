package dev.toolgate.client.tools;

/**
 * A tool that this program runs.
 *
 * @param <T> what it returns
 * @param <X> the checked exceptions that it throws
 */
@FunctionalInterface
public interface OwnTool<T, X extends Exception> {
    /**
     * Runs the tool; whatever it throws is recorded as a failure.
     *
     * @param arguments the arguments that the gate has permitted, as JSON text
     */
    ToolRun<T> run(String arguments) throws X;
}
