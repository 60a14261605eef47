package dev.toolgate.core.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedMap;

/** What agents remember, until the process ends. */
public final class InMemoryMemory implements Memory {
    private final Map<Owner, SequencedMap<String, Kept>> items = new HashMap<>();

    @Override
    public synchronized OptionalLong save(TenantId tenant, AgentId agent, Item item, int mostItems) {
        SequencedMap<String, Kept> own = items.computeIfAbsent(new Owner(tenant, agent), _ -> new LinkedHashMap<>());
        Kept before = own.get(item.key());
        if (before == null && own.size() >= mostItems) {
            return OptionalLong.empty();
        }
        long version = before == null ? 1 : before.version() + 1;
        own.putLast(item.key(), new Kept(item, version));
        return OptionalLong.of(version);
    }

    @Override
    public synchronized List<Kept> find(TenantId tenant, AgentId agent, Question question) {
        SequencedMap<String, Kept> own = items.get(new Owner(tenant, agent));
        return own == null
                ? List.of()
                : own.reversed().values().stream()
                        .filter(kept -> fits(question, kept.item()))
                        .limit(question.most())
                        .toList();
    }

    @Override
    public synchronized boolean delete(TenantId tenant, AgentId agent, String key) {
        SequencedMap<String, Kept> own = items.get(new Owner(tenant, agent));
        return own != null && own.remove(key) != null;
    }

    private static boolean fits(Question question, Item item) {
        return (question.key() == null || question.key().equals(item.key()))
                && (question.prefix() == null || item.key().startsWith(question.prefix()))
                && item.tags().containsAll(question.tags())
                && (question.text() == null || tells(item, MemoryWords.of(question.text())));
    }

    private static boolean tells(Item item, List<String> wanted) {
        List<String> words = MemoryWords.of(item);
        return !wanted.isEmpty()
                && wanted.stream().allMatch(start -> words.stream().anyMatch(word -> word.startsWith(start)));
    }

    private record Owner(TenantId tenant, AgentId agent) {}
}
