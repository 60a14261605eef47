package dev.toolgate.runtime.network;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** An address range that is not part of the public internet, and its meaning. */
record RefusedRange(Cidr range, String meaning) {

    /** Narrower ranges come first, because the first match gives the reason. */
    private static final List<RefusedRange> TABLE = List.of(
            refused("0.0.0.0/8", "an unspecified address, which means this machine"),
            refused("10.0.0.0/8", "in a private network"),
            refused("100.64.0.0/10", "in a provider's shared network"),
            refused("127.0.0.0/8", "a loopback address, which means this machine"),
            refused("168.63.129.16/32", "a service of the cloud platform this machine may run on"),
            refused("169.254.0.0/16", "a link-local address, where cloud metadata services run"),
            refused("172.16.0.0/12", "in a private network"),
            refused("192.0.0.0/24", "reserved for protocols"),
            refused("192.0.2.0/24", "reserved for documentation"),
            refused("192.88.99.0/24", "a deprecated 6to4 relay address"),
            refused("192.168.0.0/16", "in a private network"),
            refused("198.18.0.0/15", "reserved for benchmarks"),
            refused("198.51.100.0/24", "reserved for documentation"),
            refused("203.0.113.0/24", "reserved for documentation"),
            refused("224.0.0.0/4", "a multicast address"),
            refused("255.255.255.255/32", "the broadcast address"),
            refused("240.0.0.0/4", "reserved"),
            refused("::/128", "an unspecified address, which means this machine"),
            refused("::1/128", "a loopback address, which means this machine"),
            refused("64:ff9b:1::/48", "in a private network"),
            refused("100::/64", "in the discard-only range"),
            refused("2001:2::/48", "reserved for benchmarks"),
            refused("2001:20::/28", "an identifier that cannot be routed"),
            refused("2001:db8::/32", "reserved for documentation"),
            refused("3fff::/20", "reserved for documentation"),
            refused("fc00::/7", "in a private network"),
            refused("fe80::/10", "a link-local address"),
            refused("fec0::/10", "in a private network"),
            refused("ff00::/8", "a multicast address"),
            // Only 2000::/3 has ever been assigned, so everything else is refused.
            refused("::/3", "reserved"),
            refused("4000::/2", "reserved"),
            refused("8000::/1", "reserved"));

    /** The range that contains the address or any address embedded in it. */
    static Optional<RefusedRange> of(InetAddress address) {
        return EmbeddedAddress.allOf(address).stream()
                .flatMap(one -> TABLE.stream()
                        .filter(refused -> refused.range.contains(one))
                        .limit(1))
                .findFirst();
    }

    private static RefusedRange refused(String range, String meaning) {
        return new RefusedRange(Cidr.parse(range), meaning);
    }
}
