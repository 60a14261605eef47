package dev.toolgate.runtime.network;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The addresses of this machine. A public one among them reaches the machine itself and bypasses every firewall in
 * front of it, so tools may not use it as public.
 */
@FunctionalInterface
interface OwnAddresses {

    /** The current addresses of all interfaces. */
    Set<InetAddress> now();

    /** The addresses of this machine, refreshed every second, because they can change. */
    static OwnAddresses ofThisMachine() {
        return Cached.INSTANCE;
    }

    /** Caches the addresses for one second. */
    final class Cached implements OwnAddresses {
        private static final Cached INSTANCE = new Cached();
        private static final long CACHE_NANOS = 1_000_000_000;

        private Set<InetAddress> known = Set.of();
        private long lookedUpAt = System.nanoTime() - 2 * CACHE_NANOS;

        private Cached() {}

        @Override
        public synchronized Set<InetAddress> now() {
            if (System.nanoTime() - lookedUpAt > CACHE_NANOS) {
                known = lookUp();
                lookedUpAt = System.nanoTime();
            }
            return known;
        }

        private static Set<InetAddress> lookUp() {
            try {
                return NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .collect(Collectors.toUnmodifiableSet());
            } catch (SocketException unknown) {
                throw new IllegalStateException(
                        "The addresses of this machine cannot be looked up, so the connection was refused", unknown);
            }
        }
    }
}
