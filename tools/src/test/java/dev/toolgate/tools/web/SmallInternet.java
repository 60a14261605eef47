package dev.toolgate.tools.web;

import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.Resolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** On loopback: 127.0.0.2 counts as public, every other address as the real policy says; two names stand for them. */
final class SmallInternet {
    static final String PUBLIC = "127.0.0.2";
    static final String PRIVATE = "127.0.0.1";

    static final AddressPolicy POLICY =
            (host, address, port) -> address.getHostAddress().equals(PUBLIC)
                    ? Optional.empty()
                    : AddressPolicy.publicOnly().refusal(host, address, port);

    private static final Map<String, String> NAMES =
            Map.of("site.test", PUBLIC, "other.test", PUBLIC, "inside.test", PRIVATE);

    static final Resolver RESOLVER = host -> {
        String address = NAMES.get(host);
        if (address == null) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.ofLiteral(address));
    };

    private SmallInternet() {}
}
