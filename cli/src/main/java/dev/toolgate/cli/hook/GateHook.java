package dev.toolgate.cli.hook;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a coding agent reaches its hook.
 *
 * @param url of the gate, without a path
 * @param key of the agent, for hooks that send it themselves; null if {@code TOOLGATE_KEY} in the environment has it
 * @param keyFile the file with the address and the key, for hooks that are commands; null if the environment has both
 * @param matcher which tools the hook applies to, in the client's own syntax; null for all
 */
record GateHook(
        String url,
        @Nullable String key,
        @Nullable Path keyFile,
        @Nullable String matcher) {
    /** A hook that takes the key from the environment, as {@code toolgate run} makes it. */
    static GateHook ofEnvironment(String url, @Nullable String matcher) {
        return new GateHook(url, null, null, matcher);
    }

    /**
     * A matcher for all tools but those of the gate itself, which decides about them when it is called: those of the MCP
     * server that the client knows by the name that {@code toolgate connect} and {@code toolgate run} give it. Written out
     * letter by letter, because not every client's patterns can say what a name must not begin with.
     */
    static String allButGateTools() {
        String prefix = "mcp__toolgate__";
        StringBuilder pattern = new StringBuilder("^(?:");
        for (int i = 0; i < prefix.length(); i++) {
            pattern.append(i == 0 ? "" : "|")
                    .append(prefix, 0, i)
                    .append("(?:[^")
                    .append(prefix.charAt(i))
                    .append("]|$)");
        }
        return pattern.append(')').toString();
    }

    @Override
    public String toString() {
        return url;
    }
}
