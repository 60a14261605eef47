package dev.toolgate.http.tls;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings, for every port.
 *
 * @param certificate a PEM file with the certificate and its intermediates
 * @param key a PEM file with the private key
 * @param hsts the max-age of HSTS; {@code null} for no HSTS
 * @param checkEvery how often the files are checked for changes
 */
public record TlsSettings(
        Path certificate, Path key, @Nullable Duration hsts, Duration checkEvery) {
    /** The default interval of checks. */
    public static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofSeconds(5);
}
