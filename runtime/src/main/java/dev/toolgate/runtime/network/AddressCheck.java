package dev.toolgate.runtime.network;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Resolves a host to addresses that may be connected to. The host is resolved exactly once, so the checked addresses
 * are the ones that are used (no DNS rebinding).
 */
public record AddressCheck(AddressPolicy policy, Resolver resolver) {
    // RFC 6761: these names always mean the local machine, regardless of DNS.
    private static final List<InetAddress> THIS_MACHINE =
            List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));

    /**
     * All addresses of the host.
     *
     * @throws ToolFailure if there are none, or if any of them is not allowed
     */
    List<InetAddress> addresses(Authority authority) throws ToolFailure {
        List<InetAddress> addresses = find(authority);
        for (InetAddress address : addresses) {
            Optional<String> refusal = policy.refusal(authority.host(), address, authority.port());
            if (refusal.isPresent()) {
                throw new ToolFailure(
                        ErrorCode.PERMISSION_DENIED,
                        "The host '" + authority.host() + "' may not be reached: it is " + refusal.get()
                                + "; use a public address, or ask an operator to allow this one");
            }
        }
        return addresses;
    }

    private List<InetAddress> find(Authority authority) throws ToolFailure {
        InetAddress literal = authority.literal();
        if (literal != null) {
            return List.of(literal);
        }
        String host = authority.host();
        if (host.equals("localhost") || host.endsWith(".localhost")) {
            return THIS_MACHINE;
        }
        try {
            List<InetAddress> found = resolver.resolve(host);
            if (!found.isEmpty()) {
                return List.copyOf(found);
            }
        } catch (UnknownHostException unknown) {
            // reported below, like an empty result
        }
        throw new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED, "The host '" + host + "' cannot be resolved; check its spelling");
    }
}
