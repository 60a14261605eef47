package dev.toolgate.server.config;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;
import dev.toolgate.runtime.network.Cidr;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client may ask of the HTTP server. */
public record HttpSection(
        @Setting(value = "The largest request body.", initial = "10MB", least = "1KB", most = "16MB")
        ByteSize maxBody,

        @Setting(value = "How long a connection may be silent.", initial = "30s", least = "1s", most = "1h")
        Duration idleTimeout,

        @Setting(value = "How long a client may take to send one request.", initial = "20s", least = "1s", most = "1h")
        Duration requestTimeout,

        @Setting(value = "How many connections there may be.", initial = "10000", least = "1", most = "1000000")
        int maxConnections,

        @Setting(
                value = "How many requests are worked on at once; more are told to come back.",
                initial = "4000",
                least = "1",
                most = "1000000")
        int maxConcurrentRequests,

        @Setting(
                value = "Addresses or ranges of the proxies in front, such as 10.0.0.0/8, whose Forwarded and"
                        + " X-Forwarded-For headers say where a request came from; none if not set.",
                env = "TOOLGATE_TRUSTED_PROXIES")
        List<String> trustedProxies,

        @Setting(
                value = "How long running calls may go on when the server stops.",
                initial = "20s",
                least = "0s",
                most = "1h")
        Duration grace,

        @Setting("A certificate of the server's own, for HTTPS and HTTP/2 on every port; plain HTTP if not set.")
        Tls tls) {

    /** The certificate and the private key, in PEM; both files are read again when they change. */
    public record Tls(
            @Setting(
                    value = "The file with the certificate, followed by those between it and the root.",
                    env = "TOOLGATE_TLS_CERT")
            @Nullable
            Path cert,

            @Setting(
                    value = "The file with the private key: PKCS#8, or the older forms of RSA and EC keys; not"
                            + " encrypted.",
                    env = "TOOLGATE_TLS_KEY")
            @Nullable
            Path key,

            @Setting(
                    value = "For how long browsers are told to come by HTTPS only; not at all if not set.",
                    least = "1s",
                    most = "730d")
            @Nullable
            Duration hsts) {

        public Tls {
            if ((cert == null) != (key == null)) {
                throw new IllegalArgumentException("cert: goes together with key; set both or neither");
            }
        }
    }

    public HttpSection {
        trustedProxies = List.copyOf(trustedProxies);
        trustedProxies.forEach(HttpSection::range);
    }

    /** The same, as ranges of addresses. */
    public List<Cidr> trustedProxyRanges() {
        return trustedProxies.stream().map(HttpSection::range).toList();
    }

    private static Cidr range(String text) {
        try {
            return Cidr.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "trusted_proxies: must be addresses or ranges such as 10.0.0.0/8, which '" + text + "' is not",
                    wrong);
        }
    }
}
