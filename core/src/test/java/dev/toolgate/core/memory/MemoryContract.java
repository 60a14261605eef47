package dev.toolgate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.memory.Memory.Criteria;
import dev.toolgate.core.memory.Memory.Item;
import dev.toolgate.core.memory.Memory.StoredItem;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Contract of memory stores. */
public abstract class MemoryContract {
    protected static final TenantId ACME = new TenantId("acme");
    protected static final TenantId OTHER = new TenantId("other");
    protected static final AgentId ALICE = new AgentId("alice");
    protected static final AgentId BOB = new AgentId("bob");
    private static final int PLENTY = 1000;

    protected abstract Memory memory() throws Exception;

    @Test
    void an_item_is_read_back_as_saved() throws Exception {
        Item item = new Item("plan/α", "Zeile 1\n\"{}\" \\ 🙂 100%", List.of("b", "a", "b"));
        assertThat(save(item)).hasValue(1);

        assertThat(find(Criteria.key("plan/α"))).containsExactly(new StoredItem(item, 1));
        assertThat(item.tags()).containsExactly("b", "a");
    }

    @Test
    void the_last_save_wins_and_increments_the_version() throws Exception {
        save(new Item("k", "one", List.of("x")));
        assertThat(save(new Item("k", "two", List.of("y")))).hasValue(2);

        assertThat(find(Criteria.all(10))).containsExactly(new StoredItem(new Item("k", "two", List.of("y")), 2));
        assertThat(find(tagged("x"))).isEmpty();
        assertThat(find(saying("one"))).isEmpty();
    }

    @Test
    void an_item_is_replaced_only_if_it_is_as_expected() throws Exception {
        Item one = new Item("k", "one", List.of("x"));
        Item two = new Item("k", "two", List.of("y"));
        Memory memory = memory();
        assertThat(memory.replace(ACME, ALICE, "k", one, two, PLENTY)).isFalse();
        assertThat(memory.replace(ACME, ALICE, "k", null, one, PLENTY)).isTrue();
        assertThat(memory.replace(ACME, ALICE, "k", null, two, PLENTY)).isFalse();
        assertThat(memory.replace(ACME, ALICE, "k", new Item("k", "one", List.of()), two, PLENTY))
                .isFalse();
        assertThat(memory.replace(ACME, BOB, "k", one, two, PLENTY)).isFalse();
        assertThat(find(Criteria.key("k"))).containsExactly(new StoredItem(one, 1));

        assertThat(memory.replace(ACME, ALICE, "k", one, two, PLENTY)).isTrue();
        assertThat(find(saying("two"))).containsExactly(new StoredItem(two, 2));
        assertThat(memory.replace(ACME, ALICE, "k", one, null, PLENTY)).isFalse();
        assertThat(memory.replace(ACME, ALICE, "k", two, null, PLENTY)).isTrue();
        assertThat(find(Criteria.key("k"))).isEmpty();
        save(one);
        assertThat(memory.replace(ACME, ALICE, "other", null, new Item("other", "v", List.of()), 1))
                .isFalse();
    }

    @Test
    void concurrent_saves_get_distinct_versions() throws Exception {
        Memory memory = memory();
        try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<OptionalLong>> saves = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Item item = new Item("k", "value " + i, List.of());
                saves.add(all.submit(() -> memory.save(ACME, ALICE, item, PLENTY)));
            }
            List<Long> versions = new ArrayList<>();
            for (Future<OptionalLong> save : saves) {
                versions.add(save.get().orElseThrow());
            }
            assertThat(versions).doesNotHaveDuplicates().hasSize(50);
            assertThat(find(Criteria.key("k")).getFirst().version()).isEqualTo(50);
        }
    }

    @Test
    void other_agents_and_tenants_have_no_access() throws Exception {
        save(new Item("k", "secret plan", List.of("t")));

        for (Criteria criteria : List.of(Criteria.key("k"), Criteria.all(10), tagged("t"), saying("secret"))) {
            assertThat(memory().find(ACME, BOB, criteria)).isEmpty();
            assertThat(memory().find(OTHER, ALICE, criteria)).isEmpty();
        }
        assertThat(memory().delete(ACME, BOB, "k")).isFalse();
        assertThat(memory().delete(OTHER, ALICE, "k")).isFalse();
        assertThat(memory().save(OTHER, ALICE, new Item("k", "mine", List.of()), PLENTY))
                .hasValue(1);
        assertThat(find(Criteria.key("k")))
                .extracting(kept -> kept.item().value())
                .containsExactly("secret plan");
    }

    @Test
    void all_given_tags_must_match() throws Exception {
        save(new Item("both", "v", List.of("a", "b")));
        save(new Item("one", "v", List.of("a")));

        assertThat(keys(tagged("a"))).containsExactly("one", "both");
        assertThat(keys(tagged("b", "a"))).containsExactly("both");
        assertThat(keys(tagged("a", "c"))).isEmpty();
    }

    @Test
    void keys_are_found_by_prefix() throws Exception {
        for (String key : List.of("plan/one", "plan/two", "plan%", "Plan/three", "planet_", "plane\\x")) {
            save(new Item(key, "v", List.of()));
        }
        assertThat(keys(beginning("plan/"))).containsExactlyInAnyOrder("plan/one", "plan/two");
        assertThat(keys(beginning("plan%"))).containsExactly("plan%");
        assertThat(keys(beginning("planet_"))).containsExactly("planet_");
        assertThat(keys(beginning("plane\\"))).containsExactly("plane\\x");
    }

    @Test
    void words_match_in_keys_and_values_in_any_order_and_case() throws Exception {
        save(new Item("release-notes", "The deployment to Zürich failed; retry on Monday.", List.of()));
        save(new Item("lunch", "Pizza on Monday", List.of()));

        assertThat(keys(saying("monday"))).containsExactly("lunch", "release-notes");
        assertThat(keys(saying("MONDAY deploy"))).containsExactly("release-notes");
        assertThat(keys(saying("zürich"))).containsExactly("release-notes");
        assertThat(keys(saying("zu\u0308rich"))).as("decomposed Unicode").containsExactly("release-notes");
        assertThat(keys(saying("notes, (release)"))).containsExactly("release-notes");
        assertThat(keys(saying("monday tuesday"))).isEmpty();
        assertThat(keys(saying("izza"))).as("not the middle of a word").isEmpty();
        assertThat(keys(saying(" ' & | ! :* "))).as("no words at all").isEmpty();
    }

    @Test
    void all_criteria_must_match() throws Exception {
        save(new Item("plan/a", "red", List.of("t")));
        save(new Item("plan/b", "blue", List.of("t")));
        save(new Item("note", "red", List.of("t")));

        assertThat(keys(new Criteria(null, "plan/", List.of("t"), "red", 10))).containsExactly("plan/a");
        assertThat(keys(new Criteria("plan/a", null, List.of("u"), null, 10))).isEmpty();
    }

    @Test
    void the_latest_come_first_up_to_the_limit() throws Exception {
        for (String key : List.of("one", "two", "three")) {
            save(new Item(key, "v", List.of()));
        }
        save(new Item("one", "again", List.of()));

        assertThat(keys(Criteria.all(10))).containsExactly("one", "three", "two");
        assertThat(keys(Criteria.all(2))).containsExactly("one", "three");
    }

    @Test
    void a_full_memory_takes_no_new_item_but_changes_old_ones() throws Exception {
        assertThat(memory().save(ACME, ALICE, new Item("one", "v", List.of()), 2))
                .hasValue(1);
        assertThat(memory().save(ACME, ALICE, new Item("two", "v", List.of()), 2))
                .hasValue(1);
        assertThat(memory().save(ACME, ALICE, new Item("three", "v", List.of()), 2))
                .isEmpty();
        assertThat(memory().save(ACME, ALICE, new Item("one", "w", List.of()), 2))
                .hasValue(2);
        assertThat(memory().save(ACME, BOB, new Item("three", "v", List.of()), 2))
                .as("another agent's memory is not full")
                .hasValue(1);

        memory().delete(ACME, ALICE, "one");
        assertThat(memory().save(ACME, ALICE, new Item("three", "v", List.of()), 2))
                .hasValue(1);
    }

    @Test
    void what_is_deleted_is_gone() throws Exception {
        save(new Item("k", "v", List.of()));
        assertThat(memory().delete(ACME, ALICE, "k")).isTrue();
        assertThat(memory().delete(ACME, ALICE, "k")).isFalse();
        assertThat(find(Criteria.key("k"))).isEmpty();
        assertThat(save(new Item("k", "v", List.of()))).as("a new item").hasValue(1);
    }

    @Test
    void a_large_value_of_many_words_is_kept_and_found() throws Exception {
        StringBuilder words = new StringBuilder("x".repeat(3000));
        for (int i = 0; words.length() < 250_000; i++) {
            words.append(' ').append(Integer.toString(i, 36));
        }
        Item item = new Item("large", words.toString(), List.of());
        save(item);

        assertThat(find(saying("x".repeat(3000)))).containsExactly(new StoredItem(item, 1));
    }

    private OptionalLong save(Item item) throws Exception {
        return memory().save(ACME, ALICE, item, PLENTY);
    }

    private List<StoredItem> find(Criteria criteria) throws Exception {
        return memory().find(ACME, ALICE, criteria);
    }

    private List<String> keys(Criteria criteria) throws Exception {
        return find(criteria).stream().map(kept -> kept.item().key()).toList();
    }

    private static Criteria tagged(String... tags) {
        return new Criteria(null, null, List.of(tags), null, 10);
    }

    private static Criteria beginning(String prefix) {
        return new Criteria(null, prefix, List.of(), null, 10);
    }

    private static Criteria saying(String text) {
        return new Criteria(null, null, List.of(), text, 10);
    }
}
