package dev.toolgate.server.config;

/** A text that must not be seen; it shows itself only to those who ask for its value. */
public record Secret(String value) {
    @Override
    public String toString() {
        return "[redacted]";
    }
}
