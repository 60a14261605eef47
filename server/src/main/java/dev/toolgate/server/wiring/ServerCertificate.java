package dev.toolgate.server.wiring;

import dev.toolgate.http.tls.TlsCertificate;
import dev.toolgate.http.tls.TlsSettings;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.operate.health.Health;
import dev.toolgate.server.operate.health.HealthCheck;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Loads the server's TLS certificate and adds it to the health checks. */
final class ServerCertificate {
    private ServerCertificate() {}

    /**
     * @return {@code null} for plain HTTP
     * @throws IOException if the files are invalid
     */
    static @Nullable TlsCertificate load(ServerSettings settings, Health health, InstantSource clock)
            throws IOException {
        Optional<TlsSettings> files = PartSettings.tls(settings.http().tls());
        if (files.isEmpty()) {
            return null;
        }
        TlsCertificate certificate = TlsCertificate.load(files.get());
        health.with("tls", () -> check(certificate, clock), HealthCheck.degraded("Not known yet."));
        return certificate;
    }

    // Health is public, so it does not include the paths of the files.
    private static HealthCheck check(TlsCertificate certificate, InstantSource clock) {
        if (!certificate.expires().isAfter(clock.instant())) {
            return HealthCheck.degraded("The certificate expired at " + certificate.expires() + "; renew it.");
        }
        return certificate.problem().isPresent()
                ? HealthCheck.degraded("The certificate files changed and cannot be used, so the former one, valid"
                        + " until " + certificate.expires() + ", stays in use; the log says why.")
                : HealthCheck.ok("The certificate is valid until " + certificate.expires() + ".");
    }
}
