package dev.toolgate.runtime.network;

import java.time.Duration;
import java.util.Set;

/**
 * How much an egress proxy puts up with.
 *
 * @param connections how many may be open at once
 * @param headTime how long a client may take to say what it wants
 * @param idleTime how long a connection may stay open while no byte moves in either direction
 * @param ports the only ports that may be reached
 */
public record ProxyLimits(int connections, Duration headTime, Duration idleTime, Set<Integer> ports) {
    public ProxyLimits {
        ports = Set.copyOf(ports);
    }

    /** What suits package managers and version control: web ports only. */
    public static ProxyLimits usual() {
        return new ProxyLimits(64, Duration.ofSeconds(10), Duration.ofMinutes(2), Set.of(80, 443));
    }
}
