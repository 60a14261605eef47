package dev.toolgate.core.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Persistent notes of agents. Every agent of a tenant has its own memory and sees no other. */
public interface Memory {

    /**
     * One note.
     *
     * @param tags in order, without duplicates
     */
    record Item(String key, String value, List<String> tags) {
        public Item {
            tags = tags.stream().distinct().toList();
        }
    }

    /**
     * A stored item.
     *
     * @param version 1 for a new item, incremented by each save
     */
    record StoredItem(Item item, long version) {}

    /**
     * Selects items that match all given criteria.
     *
     * @param prefix of the key
     * @param tags that the item must all have
     * @param text words, each of which must be a prefix of a word in the item's key or value
     * @param limit the maximum number of results
     */
    record Criteria(
            @Nullable String key,
            @Nullable String prefix,
            List<String> tags,
            @Nullable String text,
            int limit) {
        public Criteria {
            tags = List.copyOf(tags);
        }

        /** All items. */
        public static Criteria all(int limit) {
            return new Criteria(null, null, List.of(), null, limit);
        }

        /** One item. */
        public static Criteria key(String key) {
            return new Criteria(key, null, List.of(), null, 1);
        }
    }

    /**
     * Saves an item, replacing one with the same key; the last save wins.
     *
     * @param maxItems per agent; concurrent saves may exceed it slightly
     * @return the item's version; empty if the memory is full
     * @throws Unavailable if the store cannot be reached
     */
    OptionalLong save(TenantId tenant, AgentId agent, Item item, int maxItems);

    /**
     * The matching items, latest saved first.
     *
     * @throws Unavailable if the store cannot be reached
     */
    List<StoredItem> find(TenantId tenant, AgentId agent, Criteria criteria);

    /**
     * Compare-and-set: replaces an item if the memory still has exactly the expected value and tags under the key.
     *
     * @param expected {@code null} if there must be no item with this key
     * @param wanted {@code null} to delete the expected item; never {@code null} together with {@code expected}
     * @param maxItems per agent, for an item that is added
     * @return whether it was done; if not, nothing was changed
     * @throws Unavailable if the store cannot be reached
     */
    boolean replace(
            TenantId tenant, AgentId agent, String key, @Nullable Item expected, @Nullable Item wanted, int maxItems);

    /**
     * Deletes an item.
     *
     * @return whether there was one
     * @throws Unavailable if the store cannot be reached
     */
    boolean delete(TenantId tenant, AgentId agent, String key);
}
