package dev.toolgate.server.door.frontend;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.http.request.RequestSource;
import dev.toolgate.http.routing.AnonymousAccess;
import dev.toolgate.http.routing.UnauthenticatedRequest;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Lets local programs of the server's own user act as one agent of the first tenant without a key. Missing proxy
 * headers do not prove a direct connection, so the owner of the peer process is checked. For browsers the Host and
 * Origin are checked as well, because any page can make one connect to this machine.
 */
public final class AnonymousAgent implements AnonymousAccess {
    private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final List<String> PROXY_HEADERS =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via");

    private final AgentId agent;
    private final Predicate<AgentId> exists;
    private final Set<String> origins;
    private final BiPredicate<InetSocketAddress, InetSocketAddress> ofSameUser;

    /**
     * @param exists whether the agent exists
     * @param origins allowed origins of pages, besides this server's own
     */
    public AnonymousAgent(AgentId agent, Predicate<AgentId> exists, Set<String> origins) {
        this(agent, exists, origins, PeerProcess::isOfSameUser);
    }

    /**
     * @param ofSameUser whether the peer of a connection (peer address, local address) runs as this server's user
     */
    AnonymousAgent(
            AgentId agent,
            Predicate<AgentId> exists,
            Set<String> origins,
            BiPredicate<InetSocketAddress, InetSocketAddress> ofSameUser) {
        this.agent = agent;
        this.exists = exists;
        this.origins = Set.copyOf(origins);
        this.ofSameUser = ofSameUser;
    }

    /** Whether the owner of a connection can be determined on this system; if not, no request is accepted. */
    public static boolean isSupported() {
        return PeerProcess.isSupported();
    }

    @Override
    public Optional<Principal> principal(UnauthenticatedRequest request) {
        return isDirect(request)
                        && isAddressedToUs(request)
                        && ofSameUser.test(request.peer(), request.local())
                        && exists.test(agent)
                ? Optional.of(Principal.of(Principal.FIRST_TENANT, Role.AGENT, "anonymous", agent))
                : Optional.empty();
    }

    private static boolean isDirect(UnauthenticatedRequest request) {
        return request.arrival() == RequestSource.Arrival.DIRECT
                && !request.peer().isUnresolved()
                && request.peer().getAddress().isLoopbackAddress()
                && PROXY_HEADERS.stream().allMatch(name -> request.header().apply(name) == null);
    }

    // With DNS rebinding, the Host header has the attacker's name.
    private boolean isAddressedToUs(UnauthenticatedRequest request) {
        String host = request.header().apply("Host");
        String origin = request.header().apply("Origin");
        return host != null
                && isOwnName(host)
                && (origin == null
                        || origins.contains(origin)
                        || origin.equals("http://" + host)
                        || origin.equals("https://" + host));
    }

    private static boolean isOwnName(String host) {
        try {
            String name = URI.create("http://" + host).getHost();
            return name != null && OWN_NAMES.contains(name);
        } catch (IllegalArgumentException noHost) {
            return false;
        }
    }
}
