package dev.toolgate.store.upstream;

import java.util.regex.Pattern;

/**
 * The name of an MCP server within its tenant. Its tools are called {@code server/tool}, and {@code server__tool} where a
 * slash is not allowed, so it has neither.
 */
public record ServerName(String value) implements Comparable<ServerName> {
    private static final Pattern VALID =
            Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,30}[A-Za-z0-9]|[A-Za-z0-9]");

    public ServerName {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "The name of a server must be 1 to 32 letters, digits, '-' or '_', begin and"
                            + " end with a letter or digit, and have no two '_' in a row.");
        }
    }

    @Override
    public int compareTo(ServerName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
