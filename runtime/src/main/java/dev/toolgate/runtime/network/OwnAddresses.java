package dev.toolgate.runtime.network;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The addresses this machine has. A public one among them leads to the machine itself, past every firewall before it, so
 * it is no part of the public internet for tools.
 */
@FunctionalInterface
interface OwnAddresses {

    /** Every address of every interface, as it is now. */
    Set<InetAddress> now();

    /** Those of this machine, looked up again every second, since addresses come and go. */
    static OwnAddresses ofThisMachine() {
        return Cached.INSTANCE;
    }

    /** Keeps the answer of the system for a moment. */
    final class Cached implements OwnAddresses {
        private static final Cached INSTANCE = new Cached();
        private static final long MOMENT_NANOS = 1_000_000_000;

        private Set<InetAddress> known = Set.of();
        private long since = System.nanoTime() - 2 * MOMENT_NANOS;

        private Cached() {}

        @Override
        public synchronized Set<InetAddress> now() {
            if (System.nanoTime() - since > MOMENT_NANOS) {
                known = look();
                since = System.nanoTime();
            }
            return known;
        }

        private static Set<InetAddress> look() {
            try {
                return NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .collect(Collectors.toUnmodifiableSet());
            } catch (SocketException unknown) {
                throw new IllegalStateException(
                        "The addresses of this machine cannot be looked up, so no address can be checked against them",
                        unknown);
            }
        }
    }
}
