package dev.toolgate.server.config;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;
import dev.toolgate.runtime.network.Cidr;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of the HTTP server. */
public record HttpSection(
        @Setting(value = "The maximum size of a request body.", defaultValue = "10MB", min = "1KB", max = "16MB")
        ByteSize maxBody,

        @Setting(value = "How long a connection may be idle.", defaultValue = "30s", min = "1s", max = "1h")
        Duration idleTimeout,

        @Setting(
                value = "How long a client may take to send one request.",
                defaultValue = "20s",
                min = "1s",
                max = "1h")
        Duration requestTimeout,

        @Setting(value = "The maximum number of connections.", defaultValue = "10000", min = "1", max = "1000000")
        int maxConnections,

        @Setting(
                value = "The maximum number of concurrent requests; more are refused and told to retry.",
                defaultValue = "4000",
                min = "1",
                max = "1000000")
        int maxConcurrentRequests,

        @Setting(
                value = "Addresses or ranges of trusted proxies, such as 10.0.0.0/8, whose Forwarded and"
                        + " X-Forwarded-For headers give the client's address; none if not set.",
                env = "TOOLGATE_TRUSTED_PROXIES")
        List<String> trustedProxies,

        @Setting(
                value = "How long running calls may continue when the server stops.",
                defaultValue = "20s",
                min = "0s",
                max = "1h")
        Duration grace,

        @Setting(
                value = "The URL by which people reach this server in a browser, such as https://gate.example.com, for"
                        + " links to its pages; if not set, the server's own address if that is a loopback address,"
                        + " otherwise none.",
                env = "TOOLGATE_PUBLIC_URL")
        @Nullable
        URI publicUrl,

        @Setting("The server's certificate, for HTTPS and HTTP/2 on every port; plain HTTP if not set.")
        Tls tls) {

    /** The certificate and the private key, in PEM; both files are read again when they change. */
    public record Tls(
            @Setting(
                    value = "The file with the certificate chain: the server's certificate first, then the"
                            + " intermediate ones.",
                    env = "TOOLGATE_TLS_CERT")
            @Nullable
            Path cert,

            @Setting(
                    value = "The file with the unencrypted private key, in PKCS#8, PKCS#1 or SEC1 format.",
                    env = "TOOLGATE_TLS_KEY")
            @Nullable
            Path key,

            @Setting(
                    value = "The max-age of the Strict-Transport-Security header; not sent if not set.",
                    min = "1s",
                    max = "730d")
            @Nullable
            Duration hsts) {

        public Tls {
            if ((cert == null) != (key == null)) {
                throw new IllegalArgumentException("cert: must be set together with key");
            }
        }
    }

    public HttpSection {
        trustedProxies = List.copyOf(trustedProxies);
        if (publicUrl != null) {
            checkPublicUrl(publicUrl);
        }
        trustedProxies.forEach(HttpSection::range);
    }

    private static void checkPublicUrl(URI url) {
        String host = url.getHost();
        String path = url.getRawPath();
        boolean safe = "https".equals(url.getScheme())
                || ("http".equals(url.getScheme()) && host != null && PublicAddress.isLoopback(host));
        if (!safe
                || host == null
                || url.getRawUserInfo() != null
                || url.getRawQuery() != null
                || url.getRawFragment() != null
                || !(path.isEmpty() || path.equals("/"))) {
            throw new IllegalArgumentException(
                    "public_url: must be an https URL with a host and nothing after it; http is allowed to a loopback"
                            + " address");
        }
    }

    /** The trusted proxies as address ranges. */
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
