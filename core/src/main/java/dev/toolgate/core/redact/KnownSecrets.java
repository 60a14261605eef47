package dev.toolgate.core.redact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Secrets handed out since start, per tenant, and which agent has sent one itself. Those that an MCP server may have
 * chosen are kept apart by server: hidden elsewhere, they would let it change the results of others, and in large numbers
 * push out the tenant's own. Reads take no lock because they are on the path of every call; what is new locks only its
 * tenant or server.
 */
public final class KnownSecrets {
    /** Shorter ones are not hidden: they would match text by chance. */
    public static final int MIN_LENGTH = 6;

    /**
     * Shorter ones can be guessed, so they are hidden in logs only: elsewhere, a program that prints guesses would see
     * which one is masked.
     */
    public static final int UNGUESSABLE_LENGTH = 16;

    /** Enough for several generations of all secrets of a tenant; the oldest is dropped first. */
    static final int MAX_PER_TENANT = 500;

    private static final int MAX_SERVERS_PER_TENANT = 500;
    private static final int MAX_SENDERS = 10_000;

    private final Map<TenantId, OfTenant> byTenant = new ConcurrentHashMap<>();
    private final AtomicReference<SecretFinder> ofTenants = new AtomicReference<>(SecretFinder.NONE);
    private final Map<Server, ServerSecrets> byServer = new ConcurrentHashMap<>();
    /** Per tenant, the one added last at the end. */
    private final Map<TenantId, Deque<Server>> servers = new HashMap<>();

    private final Map<Sent, Boolean> sent = new ConcurrentHashMap<>();

    /** Hides this text of the tenant from now on. */
    public void learn(TenantId tenant, String secret) {
        if (secret.length() >= MIN_LENGTH && !of(tenant).finder().contains(secret)) {
            byTenant.computeIfAbsent(tenant, _ -> new OfTenant()).add(secret);
        }
    }

    private final class OfTenant {
        private final LinkedHashSet<String> learned = new LinkedHashSet<>();
        private volatile Known known = Known.NOTHING;

        synchronized void add(String secret) {
            if (!learned.add(secret)) {
                return;
            }
            List<String> dropped = learned.size() > MAX_PER_TENANT ? List.of(learned.removeFirst()) : List.of();
            List<String> added = List.of(secret);
            known = Known.of(known.finder().with(added).without(dropped));
            ofTenants.updateAndGet(all -> all.with(added).without(dropped));
        }
    }

    /**
     * Hides these texts from now on in results of tools of this MCP server, which may have chosen them, and in logs. They
     * replace those that their owner had before the last time.
     *
     * @param owner what they belong to at the server, such as an account
     */
    public void learn(TenantId tenant, String server, String owner, List<String> secrets) {
        ServerSecrets known = byServer.get(new Server(tenant, server));
        (known == null ? add(new Server(tenant, server)) : known)
                .learn(
                        owner,
                        secrets.stream()
                                .filter(secret -> secret.length() >= MIN_LENGTH)
                                .toList());
    }

    private synchronized ServerSecrets add(Server server) {
        ServerSecrets present = byServer.get(server);
        if (present != null) {
            return present;
        }
        ServerSecrets added = new ServerSecrets();
        byServer.put(server, added);
        Deque<Server> others = servers.computeIfAbsent(server.tenant(), _ -> new ArrayDeque<>());
        others.addLast(server);
        if (others.size() > MAX_SERVERS_PER_TENANT) {
            byServer.remove(others.removeFirst());
        }
        return added;
    }

    /** The secrets of the server of a tool; nothing if the tool has none. */
    SecretFinder ofTool(TenantId tenant, String tool) {
        int slash = tool.indexOf('/');
        return slash < 0 ? SecretFinder.NONE : of(tenant, tool.substring(0, slash));
    }

    SecretFinder of(TenantId tenant, String server) {
        ServerSecrets known = byServer.get(new Server(tenant, server));
        return known == null ? SecretFinder.NONE : known.finder();
    }

    private record Server(TenantId tenant, String name) {}

    Known of(TenantId tenant) {
        OfTenant learned = byTenant.get(tenant);
        return learned == null ? Known.NOTHING : learned.known;
    }

    /** All that are to be hidden in logs. */
    List<SecretFinder> all() {
        return Stream.concat(
                        Stream.of(ofTenants.get()), byServer.values().stream().map(ServerSecrets::finder))
                .toList();
    }

    /** The shapes of the secrets of all tenants. */
    List<SecretShapes> shapes() {
        return byTenant.values().stream().map(learned -> learned.known.shapes()).toList();
    }

    /** Notes that the agent has sent this text itself. */
    void sentBy(TenantId tenant, AgentId agent, String secret) {
        if (sent.size() < MAX_SENDERS) {
            sent.put(new Sent(tenant, agent, secret), true);
        }
    }

    boolean wasSentBy(TenantId tenant, AgentId agent, String secret) {
        return sent.containsKey(new Sent(tenant, agent, secret));
    }

    private record Sent(TenantId tenant, AgentId agent, String secret) {}

    /** Whether it is too long to be guessed. */
    static boolean isUnguessable(String secret) {
        return secret.length() >= UNGUESSABLE_LENGTH;
    }

    /**
     * Secrets that the gate's administrators have chosen.
     *
     * @param shapes of those too long to guess
     */
    record Known(SecretFinder finder, SecretShapes shapes) {
        static final Known NOTHING = new Known(SecretFinder.NONE, SecretShapes.NONE);

        static Known of(SecretFinder finder) {
            return new Known(
                    finder,
                    new SecretShapes(finder.secrets().stream()
                            .filter(KnownSecrets::isUnguessable)
                            .toList()));
        }
    }
}
