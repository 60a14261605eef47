package dev.toolgate.core.tool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Another name of a tool, with the argument differences under that name. This is the one place where dialects declare
 * them.
 *
 * @param naming the name family, so that each door lists tools under its own names
 * @param defaults for missing arguments
 * @param absolutePaths arguments that must be absolute paths
 */
public record Alias(String name, Naming naming, Map<String, Object> defaults, List<String> absolutePaths) {

    /** The families of names. */
    public enum Naming {
        /** The local tool runtime and the backend tool service: {@code ReadFile}. */
        RUNTIME,
        /** The tool backend for web front ends: {@code readFile}. */
        WEB
    }

    public Alias {
        defaults = Map.copyOf(defaults);
        absolutePaths = List.copyOf(absolutePaths);
    }

    public static Alias runtime(String name) {
        return new Alias(name, Naming.RUNTIME, Map.of(), List.of());
    }

    public static Alias web(String name) {
        return new Alias(name, Naming.WEB, Map.of(), List.of());
    }

    /** Adds a default. */
    public Alias defaulting(String argument, Object value) {
        Map<String, Object> more = new HashMap<>(defaults);
        more.put(argument, value);
        return new Alias(name, naming, more, absolutePaths);
    }

    /** Refuses relative paths in these arguments. */
    public Alias requiringAbsolute(String... arguments) {
        return new Alias(name, naming, defaults, List.of(arguments));
    }
}
