package dev.toolgate.http.error;

/**
 * A family of routes with a common error format.
 *
 * @param errors its error format
 */
public record Dialect(String name, ErrorShape errors) {
    /** Used for unknown paths and malformed requests. */
    public static final Dialect STANDARD = new Dialect("standard", new StandardErrorShape());
}
