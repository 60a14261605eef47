package dev.toolgate.runtime.network;

import java.time.Duration;
import java.util.Set;

/**
 * Limits of an egress proxy.
 *
 * @param maxConnections how many connections may be open at once
 * @param headerTimeout how long a client may take to send the request head
 * @param idleTimeout how long a connection may stay open while no byte moves in either direction
 * @param ports the only ports allowed
 */
public record ProxyLimits(int maxConnections, Duration headerTimeout, Duration idleTimeout, Set<Integer> ports) {
    public ProxyLimits {
        ports = Set.copyOf(ports);
    }

    /** Defaults for package managers and version control: web ports only. */
    public static ProxyLimits defaults() {
        return new ProxyLimits(64, Duration.ofSeconds(10), Duration.ofMinutes(2), Set.of(80, 443));
    }
}
