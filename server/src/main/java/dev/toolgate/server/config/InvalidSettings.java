package dev.toolgate.server.config;

import java.util.List;

/**
 * The settings are invalid; the message names each invalid one and what it must be, but never its value, which may be a
 * secret.
 */
public final class InvalidSettings extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidSettings(List<String> problems) {
        super(String.join("; ", problems) + ".");
    }

    InvalidSettings(String problem) {
        this(List.of(problem));
    }
}
