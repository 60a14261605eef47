package dev.toolgate.http;

import dev.toolgate.http.tls.TlsCertificate;
import dev.toolgate.runtime.network.Cidr;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the server listens, and what it puts up with.
 *
 * @param ports one or more; 0 is any free one
 * @param idle how long a connection may be quiet, between requests or in the middle of one
 * @param patience how long a request may take to arrive: its header, and again its body
 * @param slowestBody bytes a second; a larger body gets more time at this rate
 * @param mostConnections further ones wait to be accepted
 * @param mostRequests running at once; further ones are answered with 503
 * @param mostEventStreams open at once, and as many sockets, a quarter of them for one tenant; further ones are answered
 *     with 503
 * @param heartbeat how often a quiet event stream shows that it is alive
 * @param tls the certificate to show; {@code null} for plain HTTP
 * @param trustedProxies whose word about the address of their client is taken
 * @param grace how long running requests may go on when the server stops
 */
public record HttpSettings(
        String host,
        List<Integer> ports,
        Duration idle,
        Duration patience,
        int slowestBody,
        int mostConnections,
        int mostRequests,
        int mostEventStreams,
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
        if (!idle.isPositive() || !patience.isPositive() || !heartbeat.isPositive() || grace.isNegative()) {
            throw new IllegalArgumentException("The time-outs of the HTTP server must be longer than zero.");
        }
        if (slowestBody < 1 || mostConnections < 1 || mostRequests < 1 || mostEventStreams < 0) {
            throw new IllegalArgumentException("The limits of the HTTP server must be at least 1.");
        }
    }

    /** The same without proxies in front, and without TLS. */
    public HttpSettings(
            String host,
            List<Integer> ports,
            Duration idle,
            Duration patience,
            int slowestBody,
            int mostConnections,
            int mostRequests,
            int mostEventStreams,
            Duration heartbeat,
            Duration grace) {
        this(
                host,
                ports,
                idle,
                patience,
                slowestBody,
                mostConnections,
                mostRequests,
                mostEventStreams,
                heartbeat,
                List.of(),
                null,
                grace);
    }

    /** The usual limits on this host and these ports. */
    public static HttpSettings on(String host, List<Integer> ports) {
        return new HttpSettings(
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
