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
 * The secrets that were handed out while the process runs, each tenant's apart, and which agent has sent one itself.
 * Reading takes no lock: it is on the path of every call, and what is read changes only when a tenant's secret does.
 */
public final class KnownSecrets {
    /** Shorter ones are not hidden: they would stand in every other text by chance. */
    public static final int SHORTEST = 6;

    /**
     * Shorter ones can be guessed, so they are hidden in logs only: elsewhere a program that prints guesses would be shown
     * which of them is right.
     */
    public static final int UNGUESSABLE = 16;

    /** Enough for every secret of a tenant in several generations; the oldest is forgotten first. */
    static final int MOST_PER_TENANT = 500;

    private static final int MOST_SENDERS = 10_000;

    private final Map<TenantId, LinkedHashSet<String>> learned = new HashMap<>();
    private final Map<Sent, Boolean> sent = new ConcurrentHashMap<>();
    private volatile Map<TenantId, Known> byTenant = Map.of();
    private volatile Known all = Known.NOTHING;

    /** From now on this text of the tenant is hidden. */
    public void learn(TenantId tenant, String secret) {
        if (secret.length() >= SHORTEST && !of(tenant).everything().secrets().contains(secret)) {
            add(tenant, secret);
        }
    }

    private synchronized void add(TenantId tenant, String secret) {
        LinkedHashSet<String> own = learned.computeIfAbsent(tenant, _ -> new LinkedHashSet<>());
        own.addLast(secret);
        while (own.size() > MOST_PER_TENANT) {
            own.removeFirst();
        }
        Map<TenantId, Known> next = new LinkedHashMap<>(byTenant);
        next.put(tenant, Known.of(own));
        byTenant = Map.copyOf(next);
        List<String> everybodys = new ArrayList<>();
        next.values().forEach(known -> everybodys.addAll(known.everything().secrets()));
        all = Known.of(everybodys);
    }

    Known of(TenantId tenant) {
        return byTenant.getOrDefault(tenant, Known.NOTHING);
    }

    Known all() {
        return all;
    }

    /** The agent has shown that it has this text already. */
    void sentBy(TenantId tenant, AgentId agent, String secret) {
        if (sent.size() < MOST_SENDERS) {
            sent.put(new Sent(tenant, agent, secret), true);
        }
    }

    boolean wasSentBy(TenantId tenant, AgentId agent, String secret) {
        return sent.containsKey(new Sent(tenant, agent, secret));
    }

    private record Sent(TenantId tenant, AgentId agent, String secret) {}

    /**
     * @param everything for logs
     * @param unguessable those long enough that nobody guesses them
     * @param shapes what the latter look like
     */
    record Known(SecretFinder everything, SecretFinder unguessable, SecretShapes shapes) {
        static final Known NOTHING = new Known(SecretFinder.NONE, SecretFinder.NONE, SecretShapes.NONE);

        static Known of(Collection<String> secrets) {
            List<String> unguessable = secrets.stream()
                    .filter(secret -> secret.length() >= UNGUESSABLE)
                    .toList();
            return new Known(
                    new SecretFinder(secrets),
                    new SecretFinder(unguessable),
                    new SecretShapes(Set.copyOf(unguessable)));
        }
    }
}
