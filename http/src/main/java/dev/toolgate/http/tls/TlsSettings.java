package dev.toolgate.http.tls;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the server proves who it is, on every port.
 *
 * @param certificate a PEM file: its certificate, followed by those between it and the root
 * @param key a PEM file: the private key
 * @param hsts for how long browsers are told to come by HTTPS only; {@code null} for not at all
 * @param checkEvery how often the files are looked at for a change
 */
public record TlsSettings(
        Path certificate, Path key, @Nullable Duration hsts, Duration checkEvery) {
    /** How often the files are looked at. */
    public static final Duration OFTEN = Duration.ofSeconds(5);
}
