package dev.toolgate.server.config;

import java.nio.file.Path;

/** Where a secret of tools is; never the secret itself. */
public sealed interface SecretPlace {
    String PATTERN = "(env:|file:/).+";
    String MUST = "must say where the secret is: env:VARIABLE or file:/path";

    /** In an environment variable of the server: {@code env:NAME}. */
    record Variable(String name) implements SecretPlace {}

    /** In a file, which is read at every use: {@code file:/path}. */
    record InFile(Path file) implements SecretPlace {}

    /**
     * Reads what the settings say.
     *
     * @throws IllegalArgumentException if it is neither; without what was said, which may be a secret
     */
    static SecretPlace parse(String text) {
        if (text.startsWith("env:") && text.length() > 4) {
            return new Variable(text.substring(4));
        }
        if (text.startsWith("file:/") && text.length() > 6) {
            return new InFile(Path.of(text.substring(5)));
        }
        throw new IllegalArgumentException(MUST);
    }
}
