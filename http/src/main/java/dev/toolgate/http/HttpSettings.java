package dev.toolgate.http;

import dev.toolgate.http.tls.TlsCertificate;
import dev.toolgate.runtime.network.Cidr;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the HTTP server: addresses, time-outs and limits.
 *
 * @param ports at least one; 0 means any free port
 * @param idle how long a connection may be idle, between or within requests
 * @param requestTimeout how long a request's headers may take to arrive, and again its body
 * @param minBodyRate bytes per second; larger bodies get more time at this rate
 * @param maxConnections beyond this, connections wait to be accepted
 * @param maxRequests concurrent requests; beyond this they get 503
 * @param maxEventStreams open event streams, and as many sockets, a quarter of them per tenant; beyond this they get
 *     503
 * @param heartbeat interval of keep-alive comments on event streams
 * @param tls the certificate; {@code null} for plain HTTP
 * @param trustedProxies proxies whose forwarding headers are trusted
 * @param grace how long running requests may finish when the server stops
 */
public record HttpSettings(
        String host,
        List<Integer> ports,
        Duration idle,
        Duration requestTimeout,
        int minBodyRate,
        int maxConnections,
        int maxRequests,
        int maxEventStreams,
        Duration heartbeat,
        List<Cidr> trustedProxies,
        @Nullable TlsCertificate tls,
        Duration grace) {

    public HttpSettings {
        ports = List.copyOf(ports);
        trustedProxies = List.copyOf(trustedProxies);
        if (ports.isEmpty()) {
            throw new IllegalArgumentException("The server needs at least one port.");
        }
        if (!idle.isPositive() || !requestTimeout.isPositive() || !heartbeat.isPositive() || grace.isNegative()) {
            throw new IllegalArgumentException("The time-outs of the HTTP server must be longer than zero.");
        }
        if (minBodyRate < 1 || maxConnections < 1 || maxRequests < 1 || maxEventStreams < 0) {
            throw new IllegalArgumentException("The limits of the HTTP server must be at least 1.");
        }
    }

    /** Without trusted proxies and TLS. */
    public static HttpSettings plain(
            String host,
            List<Integer> ports,
            Duration idle,
            Duration requestTimeout,
            int minBodyRate,
            int maxConnections,
            int maxRequests,
            int maxEventStreams,
            Duration heartbeat,
            Duration grace) {
        return new HttpSettings(
                host,
                ports,
                idle,
                requestTimeout,
                minBodyRate,
                maxConnections,
                maxRequests,
                maxEventStreams,
                heartbeat,
                List.of(),
                null,
                grace);
    }

    /** The default limits on this host and these ports. */
    public static HttpSettings on(String host, List<Integer> ports) {
        return HttpSettings.plain(
                host,
                ports,
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                64 << 10,
                10_000,
                4_000,
                1_000,
                Duration.ofSeconds(15),
                Duration.ofSeconds(20));
    }
}
