package dev.toolgate.runtime.network;

import dev.toolgate.core.policy.DomainPatterns;
import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import java.util.List;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.jspecify.annotations.Nullable;

/** Sends HTTP requests for a caller: every hop only to checked addresses, with limits on size and time. */
public record GuardedRequests(AddressCheck addresses, TlsSocketStrategy tls) {

    /** Uses the system's trusted certificates. */
    public static GuardedRequests of(AddressPolicy policy, Resolver resolver) {
        // Created on first use, because reading the system's certificates is slow.
        return new GuardedRequests(
                new AddressCheck(policy, resolver),
                (socket, host, port, attachment, context) ->
                        SystemTls.STRATEGY.upgrade(socket, host, port, attachment, context));
    }

    private static final class SystemTls {
        static final TlsSocketStrategy STRATEGY = DefaultClientTlsStrategy.createSystemDefault();
    }

    /** @param domains the only hosts allowed; {@code null} allows all */
    public RedirectChain.FinalResponse send(OutgoingRequest request, @Nullable List<String> domains, Duration limit)
            throws ToolFailure, InterruptedException {
        CallSockets sockets = new CallSockets();
        RedirectChain chain = new RedirectChain(
                addresses, domains == null ? null : new DomainPatterns(domains), new Hop(tls, sockets));
        return new Deadline(limit).run(() -> chain.run(request), sockets);
    }
}
