package dev.toolgate.server.config;

/** A secret text, which toString never shows. */
public record Secret(String value) {
    @Override
    public String toString() {
        return "[redacted]";
    }
}
