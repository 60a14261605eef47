package dev.toolgate.server.identity;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/** Where somebody comes from, as far as they cannot choose it. */
final class RemoteAddress {
    private static final int NETWORK_BYTES = 8;

    private RemoteAddress() {}

    /** The address; of an IPv6 one the first half, because whoever has one such address has all that share it. */
    static String network(String address) {
        try {
            InetAddress parsed = InetAddress.ofLiteral(address);
            return parsed instanceof Inet6Address
                    ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES)
                    : parsed.getHostAddress();
        } catch (IllegalArgumentException noAddress) {
            return address;
        }
    }
}
