package dev.toolgate.server.config;

import java.nio.file.Path;

/** The location of a secret, never the secret itself. */
public sealed interface SecretLocation {
    String PATTERN = "(env:|file:/).+";
    String MUST = "must be the location of the secret: env:VARIABLE or file:/path";

    /** In an environment variable of the server: {@code env:NAME}. */
    record Variable(String name) implements SecretLocation {}

    /** In a file, which is read at every use: {@code file:/path}. */
    record InFile(Path file) implements SecretLocation {}

    /**
     * Parses the value of a setting.
     *
     * @throws IllegalArgumentException if it is neither; the message leaves out the value, which may be a secret
     */
    static SecretLocation parse(String text) {
        if (text.startsWith("env:") && text.length() > 4) {
            return new Variable(text.substring(4));
        }
        if (text.startsWith("file:/") && text.length() > 6) {
            return new InFile(Path.of(text.substring(5)));
        }
        throw new IllegalArgumentException(MUST);
    }
}
