package dev.toolgate.core.redact;

import dev.toolgate.core.call.TenantId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The secrets that were handed out while the process runs, each tenant's apart. Reading takes no lock: it is on the
 * path of every call, and what is read changes only when a tenant's secret does.
 */
public final class KnownSecrets {
    /** Shorter ones are not hidden: they would stand in every other text by chance. */
    public static final int SHORTEST = 6;

    /** Enough for every secret of a tenant in several generations; the oldest is forgotten first. */
    static final int MOST_PER_TENANT = 500;

    private static final Comparator<String> LONGEST_FIRST =
            Comparator.comparingInt(String::length).reversed();

    private final Map<TenantId, LinkedHashSet<String>> learned = new HashMap<>();
    private volatile Map<TenantId, List<String>> byTenant = Map.of();
    private volatile List<String> all = List.of();

    /** From now on this text of the tenant is hidden. */
    public void learn(TenantId tenant, String secret) {
        if (secret.length() >= SHORTEST && !of(tenant).contains(secret)) {
            add(tenant, secret);
        }
    }

    private synchronized void add(TenantId tenant, String secret) {
        LinkedHashSet<String> own = learned.computeIfAbsent(tenant, _ -> new LinkedHashSet<>());
        own.addLast(secret);
        while (own.size() > MOST_PER_TENANT) {
            own.removeFirst();
        }
        Map<TenantId, List<String>> next = new HashMap<>(byTenant);
        next.put(tenant, longestFirst(own));
        byTenant = Map.copyOf(next);
        List<String> everybodys = new ArrayList<>();
        next.values().forEach(everybodys::addAll);
        all = longestFirst(everybodys);
    }

    // Where one secret begins with another, no end of it may stay.
    static List<String> longestFirst(Collection<String> secrets) {
        return secrets.stream().distinct().sorted(LONGEST_FIRST).toList();
    }

    List<String> of(TenantId tenant) {
        return byTenant.getOrDefault(tenant, List.of());
    }

    List<String> all() {
        return all;
    }
}
