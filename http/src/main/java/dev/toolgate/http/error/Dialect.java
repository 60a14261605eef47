package dev.toolgate.http.error;

/**
 * The family of routes a route belongs to.
 *
 * @param errors how errors look in it
 */
public record Dialect(String name, ErrorShape errors) {
    /** What unknown paths and requests too broken to route are answered in. */
    public static final Dialect STANDARD = new Dialect("standard", new StandardErrorShape());
}
