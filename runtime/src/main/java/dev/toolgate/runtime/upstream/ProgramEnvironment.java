package dev.toolgate.runtime.upstream;

import java.util.Map;

/** The environment variables of a server program, in addition to those of every command; read at every start. */
@FunctionalInterface
public interface ProgramEnvironment {
    /** No further variables. */
    ProgramEnvironment NONE = Map::of;

    /**
     * The variables by name.
     *
     * @throws dev.toolgate.core.call.Unavailable if a secret among them cannot be read now
     */
    Map<String, String> variables();

    /** Always the same variables. */
    static ProgramEnvironment of(Map<String, String> variables) {
        Map<String, String> kept = Map.copyOf(variables);
        return () -> kept;
    }
}
