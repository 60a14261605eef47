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
 * Lets programs of the server's own user on this machine act as one agent of the first tenant without a key. That a
 * request carries no sign of a proxy shows nothing, so the program at the other end is looked at. Browsers are looked at
 * twice, since any page can make one connect to this machine.
 */
public final class AnonymousAgent implements AnonymousAccess {
    private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final List<String> SIGNS_OF_A_PROXY =
            List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via");

    private final AgentId agent;
    private final Predicate<AgentId> exists;
    private final Set<String> origins;
    private final BiPredicate<InetSocketAddress, InetSocketAddress> ofSameUser;

    /**
     * @param exists whether there is such an agent now
     * @param origins of which pages are known, besides those of this server
     */
    public AnonymousAgent(AgentId agent, Predicate<AgentId> exists, Set<String> origins) {
        this(agent, exists, origins, PeerProcess::isOfSameUser);
    }

    /**
     * @param ofSameUser whether the peer of a connection, given with our end, runs as the user of this server
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

    /** Whether the owner of a connection can be told on this machine; nobody is let in where it cannot. */
    public static boolean isPossible() {
        return PeerProcess.isKnowable();
    }

    @Override
    public Optional<Principal> principal(UnauthenticatedRequest request) {
        return isDirect(request)
                        && isAddressedToUs(request)
                        && ofSameUser.test(request.peer(), request.local())
                        && exists.test(agent)
                ? Optional.of(new Principal(Principal.FIRST_TENANT, Role.AGENT, "anonymous", agent))
                : Optional.empty();
    }

    private static boolean isDirect(UnauthenticatedRequest request) {
        return request.arrival() == RequestSource.Arrival.DIRECT
                && !request.peer().isUnresolved()
                && request.peer().getAddress().isLoopbackAddress()
                && SIGNS_OF_A_PROXY.stream().allMatch(name -> request.header().apply(name) == null);
    }

    // A page of a name that was made to lead here is addressed to that name.
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
