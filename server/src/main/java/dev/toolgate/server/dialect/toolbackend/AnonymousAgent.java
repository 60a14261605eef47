package dev.toolgate.server.dialect.toolbackend;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.server.http.Guests;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.server.identity.Role;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lets programs on this machine that have no key act as one agent of the first tenant. What a browser sends is looked
 * at twice, since any page can make it connect to this machine, and what another passes on is not from this machine.
 */
public final class AnonymousAgent implements Guests {
    private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final List<String> PASSED_ON = List.of("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via");

    private final AgentId agent;
    private final Predicate<AgentId> exists;
    private final Set<String> origins;

    /**
     * @param exists whether there is such an agent now
     * @param origins of which pages are known, besides those of this server
     */
    public AnonymousAgent(AgentId agent, Predicate<AgentId> exists, Set<String> origins) {
        this.agent = agent;
        this.exists = exists;
        this.origins = Set.copyOf(origins);
    }

    @Override
    public Optional<Principal> recognise(String remoteAddress, UnaryOperator<@Nullable String> header) {
        String host = header.apply("Host");
        String origin = header.apply("Origin");
        boolean here = isLoopback(remoteAddress)
                && PASSED_ON.stream().allMatch(name -> header.apply(name) == null)
                && host != null
                && isOwnName(host) // or a page of a name that was made to lead here
                && (origin == null || origins.contains(origin) || origin.equals("http://" + host));
        return here && exists.test(agent)
                ? Optional.of(new Principal(Principal.FIRST_TENANT, Role.AGENT, "anonymous", agent))
                : Optional.empty();
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.ofLiteral(address).isLoopbackAddress();
        } catch (IllegalArgumentException noAddress) {
            return false;
        }
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
