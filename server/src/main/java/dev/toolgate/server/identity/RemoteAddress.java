package dev.toolgate.server.identity;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/** The part of a client's address that the client cannot easily change. */
final class RemoteAddress {
    private static final int NETWORK_BYTES = 8;

    private RemoteAddress() {}

    /** The address; for IPv6 its /64 network, because a client usually controls all addresses in it. */
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
