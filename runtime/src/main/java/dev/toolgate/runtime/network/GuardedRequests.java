package dev.toolgate.runtime.network;

import dev.toolgate.core.policy.DomainPatterns;
import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import java.util.List;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.jspecify.annotations.Nullable;

/** Sends requests on a caller's behalf: to checked addresses only, on every hop, bounded in size and time. */
public record GuardedRequests(AddressCheck addresses, TlsSocketStrategy tls) {

    /** With the certificates the system trusts. */
    public static GuardedRequests of(AddressPolicy policy, Resolver resolver) {
        // Looked up on first use: reading the system's certificates takes longer than everything else here.
        return new GuardedRequests(
                new AddressCheck(policy, resolver),
                (socket, host, port, attachment, context) ->
                        SystemTls.STRATEGY.upgrade(socket, host, port, attachment, context));
    }

    private static final class SystemTls {
        static final TlsSocketStrategy STRATEGY = DefaultClientTlsStrategy.createSystemDefault();
    }

    /**
     * @param domains the only hosts allowed, if somebody has set any
     */
    public RedirectChain.Arrival send(OutgoingRequest request, @Nullable List<String> domains, Duration limit)
            throws ToolFailure, InterruptedException {
        CallSockets sockets = new CallSockets();
        RedirectChain chain = new RedirectChain(
                addresses, domains == null ? null : new DomainPatterns(domains), new Hop(tls, sockets));
        return new Deadline(limit).run(() -> chain.run(request), sockets);
    }
}
