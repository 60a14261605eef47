package dev.toolgate.tools.web;

import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.Resolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A simulated internet on loopback: 127.0.0.2 counts as public, other addresses follow the real policy. */
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
