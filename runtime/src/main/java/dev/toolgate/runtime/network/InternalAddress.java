package dev.toolgate.runtime.network;

import dev.toolgate.core.tool.ToolFailure;
import java.net.InetAddress;

/** An internal address or host that an operator has opened to tools. */
sealed interface InternalAddress {
    int ANY_PORT = 0;

    boolean covers(String host, InetAddress address, int port);

    /** An address range. */
    record Network(Cidr range, int port) implements InternalAddress {
        @Override
        public boolean covers(String host, InetAddress address, int asked) {
            return (port == ANY_PORT || port == asked)
                    && (range.contains(address)
                            || EmbeddedAddress.allOf(address).stream().allMatch(range::contains));
        }
    }

    /** A host name, with any address it resolves to. */
    record Named(String host, int port) implements InternalAddress {
        @Override
        public boolean covers(String asked, InetAddress address, int askedPort) {
            return host.equals(asked) && (port == ANY_PORT || port == askedPort);
        }
    }

    static InternalAddress parse(String text) {
        try {
            if (text.indexOf('/') >= 0) {
                return new Network(Cidr.parse(text), ANY_PORT);
            }
            Authority authority = Authority.parse(text, ANY_PORT);
            InetAddress literal = authority.literal();
            return literal == null
                    ? new Named(authority.host(), authority.port())
                    : new Network(new Cidr(literal, literal.getAddress().length * 8), authority.port());
        } catch (ToolFailure | IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not an internal address; write a range like 10.1.0.0/16, an address or a"
                            + " name, the last two optionally with a port.",
                    unreadable);
        }
    }
}
