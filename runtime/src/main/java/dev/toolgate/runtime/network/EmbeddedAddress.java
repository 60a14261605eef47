package dev.toolgate.runtime.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds IPv4 addresses embedded in IPv6 addresses: traffic to the outer address may arrive at the inner one. */
final class EmbeddedAddress {
    private static final Cidr COMPATIBLE = Cidr.parse("::/96");
    private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");
    private static final Cidr SIX_TO_FOUR = Cidr.parse("2002::/16");
    private static final Cidr TEREDO = Cidr.parse("2001::/32");

    private EmbeddedAddress() {}

    /** Every address that traffic to this one could reach. */
    static List<InetAddress> allOf(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return List.of(address);
        }
        if (isMapped(bytes) || NAT64.contains(address)) {
            return List.of(ipv4(bytes, 12, 0));
        }
        if (COMPATIBLE.contains(address)) {
            return List.of(address, ipv4(bytes, 12, 0));
        }
        if (SIX_TO_FOUR.contains(address)) {
            return List.of(address, ipv4(bytes, 2, 0));
        }
        if (TEREDO.contains(address)) { // the server address in clear, the client address with every bit inverted
            return List.of(address, ipv4(bytes, 4, 0), ipv4(bytes, 12, 0xFF));
        }
        return List.of(address);
    }

    // Java converts mapped addresses to IPv4 itself, except those created with a scope id.
    private static boolean isMapped(byte[] bytes) {
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return bytes[10] == (byte) 0xFF && bytes[11] == (byte) 0xFF;
    }

    private static InetAddress ipv4(byte[] bytes, int from, int mask) {
        byte[] inner = new byte[4];
        for (int i = 0; i < 4; i++) {
            inner[i] = (byte) (bytes[from + i] ^ mask);
        }
        try {
            return InetAddress.getByAddress(inner);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("Four bytes are always an address.", impossible);
        }
    }
}
