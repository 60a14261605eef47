package dev.toolgate.core.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Agent memory that is lost when the process ends. */
public final class InMemoryMemory implements Memory {
    private final Map<Owner, SequencedMap<String, StoredItem>> items = new HashMap<>();

    @Override
    public synchronized OptionalLong save(TenantId tenant, AgentId agent, Item item, int maxItems) {
        SequencedMap<String, StoredItem> own =
                items.computeIfAbsent(new Owner(tenant, agent), _ -> new LinkedHashMap<>());
        StoredItem before = own.get(item.key());
        if (before == null && own.size() >= maxItems) {
            return OptionalLong.empty();
        }
        long version = before == null ? 1 : before.version() + 1;
        own.putLast(item.key(), new StoredItem(item, version));
        return OptionalLong.of(version);
    }

    @Override
    public synchronized List<StoredItem> find(TenantId tenant, AgentId agent, Criteria criteria) {
        SequencedMap<String, StoredItem> own = items.get(new Owner(tenant, agent));
        return own == null
                ? List.of()
                : own.reversed().values().stream()
                        .filter(kept -> fits(criteria, kept.item()))
                        .limit(criteria.limit())
                        .toList();
    }

    @Override
    public synchronized boolean replace(
            TenantId tenant, AgentId agent, String key, @Nullable Item expected, @Nullable Item wanted, int maxItems) {
        SequencedMap<String, StoredItem> own = items.get(new Owner(tenant, agent));
        StoredItem now = own == null ? null : own.get(key);
        if (!Objects.equals(now == null ? null : now.item(), expected)) {
            return false;
        }
        return wanted == null
                ? delete(tenant, agent, key)
                : save(tenant, agent, wanted, maxItems).isPresent();
    }

    @Override
    public synchronized boolean delete(TenantId tenant, AgentId agent, String key) {
        SequencedMap<String, StoredItem> own = items.get(new Owner(tenant, agent));
        return own != null && own.remove(key) != null;
    }

    private static boolean fits(Criteria criteria, Item item) {
        return (criteria.key() == null || criteria.key().equals(item.key()))
                && (criteria.prefix() == null || item.key().startsWith(criteria.prefix()))
                && item.tags().containsAll(criteria.tags())
                && (criteria.text() == null || containsWords(item, MemoryWords.of(criteria.text())));
    }

    private static boolean containsWords(Item item, List<String> wanted) {
        List<String> words = MemoryWords.of(item);
        return !wanted.isEmpty()
                && wanted.stream().allMatch(start -> words.stream().anyMatch(word -> word.startsWith(start)));
    }

    private record Owner(TenantId tenant, AgentId agent) {}
}
