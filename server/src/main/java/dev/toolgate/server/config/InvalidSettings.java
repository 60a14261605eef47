package dev.toolgate.server.config;

import java.util.List;

/** The settings cannot be used; the message names each wrong one and says what it should be, never what it was. */
public final class InvalidSettings extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidSettings(List<String> complaints) {
        super(String.join("; ", complaints) + ".");
    }

    InvalidSettings(String complaint) {
        this(List.of(complaint));
    }
}
