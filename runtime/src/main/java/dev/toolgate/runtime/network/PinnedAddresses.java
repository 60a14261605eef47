package dev.toolgate.runtime.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;

/** Resolves one host to the addresses that were checked for it, without a DNS lookup. */
record PinnedAddresses(String host, List<InetAddress> addresses) implements DnsResolver {

    @Override
    public InetAddress[] resolve(String asked) throws UnknownHostException {
        if (!asked.equals(host)) {
            throw new UnknownHostException("Only '" + host + "' has been checked");
        }
        return addresses.toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String asked) {
        return asked;
    }
}
