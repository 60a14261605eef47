package dev.toolgate.core.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What agents want to remember. Every agent of every tenant has a memory of its own and sees no other. */
public interface Memory {

    /**
     * What is remembered.
     *
     * @param tags in the order they were given, each once
     */
    record Item(String key, String value, List<String> tags) {
        public Item {
            tags = tags.stream().distinct().toList();
        }
    }

    /**
     * An item as it is kept.
     *
     * @param version 1 for a new item, and one more each time it is saved again
     */
    record Kept(Item item, long version) {}

    /**
     * Which items are wanted: those that fit everything that is said here.
     *
     * @param prefix how the key begins
     * @param tags each of which the item must have
     * @param text words; each must be the beginning of a word in the item's key or value
     * @param most how many at most
     */
    record Question(
            @Nullable String key,
            @Nullable String prefix,
            List<String> tags,
            @Nullable String text,
            int most) {
        public Question {
            tags = List.copyOf(tags);
        }

        /** All there is. */
        public static Question all(int most) {
            return new Question(null, null, List.of(), null, most);
        }

        /** One item. */
        public static Question key(String key) {
            return new Question(key, null, List.of(), null, 1);
        }
    }

    /**
     * Keeps an item; one that has the same key is replaced, whoever saved it last wins.
     *
     * @param mostItems how many items the agent may have; saves at the same moment may each take the last place
     * @return the item's version, or nothing if there is no place for a new one
     * @throws Unavailable if it cannot be kept now
     */
    OptionalLong save(TenantId tenant, AgentId agent, Item item, int mostItems);

    /**
     * The items that are wanted, the latest saved first.
     *
     * @throws Unavailable if they cannot be looked up now
     */
    List<Kept> find(TenantId tenant, AgentId agent, Question question);

    /**
     * Forgets an item.
     *
     * @return whether there was one
     * @throws Unavailable if it cannot be forgotten now
     */
    boolean delete(TenantId tenant, AgentId agent, String key);
}
