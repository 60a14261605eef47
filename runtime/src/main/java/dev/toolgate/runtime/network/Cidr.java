package dev.toolgate.runtime.network;

import java.net.InetAddress;

/** A range of IP addresses that share their first bits, written like {@code 10.0.0.0/8}. */
public record Cidr(InetAddress network, int bits) {

    public Cidr {
        if (bits < 0 || bits > network.getAddress().length * 8) {
            throw new IllegalArgumentException("A range of addresses cannot have a prefix of " + bits + " bits.");
        }
    }

    /**
     * Reads a range; a plain address is the range of that address alone.
     *
     * @throws IllegalArgumentException if it is neither; names are never looked up
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        InetAddress network = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
        return new Cidr(
                network,
                slash < 0 ? network.getAddress().length * 8 : Integer.parseUnsignedInt(text.substring(slash + 1)));
    }

    /** Whether an address is in the range. */
    public boolean contains(InetAddress address) {
        byte[] one = network.getAddress();
        byte[] other = address.getAddress();
        if (one.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += 8) {
            int mask = bits - bit >= 8 ? 0xFF : 0xFF << (8 - (bits - bit)) & 0xFF;
            if (((one[bit / 8] ^ other[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
