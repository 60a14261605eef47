package dev.toolgate.core.redact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Secrets handed out since start, per tenant, and which agent has sent one itself. Those that an MCP server may have
 * chosen are kept apart by server: hidden elsewhere, they would let it change the results of others, and in large numbers
 * push out the tenant's own. Reads take no lock because they are on the path of every call.
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

    /** Enough for the tokens of all accounts in use; a server pushes out only its own. */
    static final int MAX_PER_SERVER = 1_000;

    private static final int MAX_SERVERS_PER_TENANT = 500;
    private static final int MAX_SENDERS = 10_000;

    private final Map<TenantId, LinkedHashSet<String>> learned = new HashMap<>();
    private final Map<Sent, Boolean> sent = new ConcurrentHashMap<>();
    private volatile Map<TenantId, Known> byTenant = Map.of();
    private volatile Known all = Known.NOTHING;
    /** Per tenant by server, the one that learned last at the end. */
    private final Map<TenantId, LinkedHashMap<String, LinkedHashSet<String>>> learnedOfServers = new HashMap<>();

    private volatile Map<Server, Known> byServer = Map.of();

    /** Hides this text of the tenant from now on. */
    public void learn(TenantId tenant, String secret) {
        if (secret.length() >= MIN_LENGTH && !of(tenant).everything().secrets().contains(secret)) {
            add(tenant, secret);
        }
    }

    private synchronized void add(TenantId tenant, String secret) {
        LinkedHashSet<String> own = learned.computeIfAbsent(tenant, _ -> new LinkedHashSet<>());
        own.addLast(secret);
        while (own.size() > MAX_PER_TENANT) {
            own.removeFirst();
        }
        Map<TenantId, Known> next = new LinkedHashMap<>(byTenant);
        next.put(tenant, Known.of(own));
        byTenant = Map.copyOf(next);
        List<String> allSecrets = new ArrayList<>();
        next.values().forEach(known -> allSecrets.addAll(known.everything().secrets()));
        all = Known.of(allSecrets);
    }

    /** Hides this text from now on in results of tools of this MCP server, which may have chosen it, and in logs. */
    public void learn(TenantId tenant, String server, String secret) {
        if (secret.length() >= MIN_LENGTH
                && !of(tenant, server).everything().secrets().contains(secret)) {
            add(tenant, server, secret);
        }
    }

    private synchronized void add(TenantId tenant, String server, String secret) {
        LinkedHashMap<String, LinkedHashSet<String>> servers =
                learnedOfServers.computeIfAbsent(tenant, _ -> new LinkedHashMap<>());
        LinkedHashSet<String> own = servers.computeIfAbsent(server, _ -> new LinkedHashSet<>());
        servers.putLast(server, own);
        own.addLast(secret);
        while (own.size() > MAX_PER_SERVER) {
            own.removeFirst();
        }
        Map<Server, Known> next = new HashMap<>(byServer);
        next.put(new Server(tenant, server), Known.of(own));
        while (servers.size() > MAX_SERVERS_PER_TENANT) {
            next.remove(new Server(tenant, servers.pollFirstEntry().getKey()));
        }
        byServer = Map.copyOf(next);
    }

    /** The secrets of the server of a tool; nothing if the tool has none. */
    Known ofTool(TenantId tenant, String tool) {
        int slash = tool.indexOf('/');
        return slash < 0 ? Known.NOTHING : of(tenant, tool.substring(0, slash));
    }

    Known of(TenantId tenant, String server) {
        return byServer.getOrDefault(new Server(tenant, server), Known.NOTHING);
    }

    /** All that are to be hidden in logs. */
    Collection<Known> ofServers() {
        return byServer.values();
    }

    private record Server(TenantId tenant, String name) {}

    Known of(TenantId tenant) {
        return byTenant.getOrDefault(tenant, Known.NOTHING);
    }

    Known all() {
        return all;
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

    /**
     * @param everything for logs
     * @param unguessable those too long to guess
     * @param shapes of the latter
     */
    record Known(SecretFinder everything, SecretFinder unguessable, SecretShapes shapes) {
        static final Known NOTHING = new Known(SecretFinder.NONE, SecretFinder.NONE, SecretShapes.NONE);

        static Known of(Collection<String> secrets) {
            List<String> unguessable = secrets.stream()
                    .filter(secret -> secret.length() >= UNGUESSABLE_LENGTH)
                    .toList();
            return new Known(
                    new SecretFinder(secrets),
                    new SecretFinder(unguessable),
                    new SecretShapes(Set.copyOf(unguessable)));
        }
    }
}
