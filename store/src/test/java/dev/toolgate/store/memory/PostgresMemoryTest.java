package dev.toolgate.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.memory.MemoryContract;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresMemoryTest extends MemoryContract {
    private DatabaseUrl url;
    private Database database;

    @BeforeEach
    void open() throws Exception {
        url = MigratedDatabase.fresh();
        database = Database.open(url);
        database.jdbi()
                .useHandle(handle -> handle.execute(
                        "INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')"));
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Override
    protected Memory memory() {
        return new PostgresMemory(database.dataSource());
    }

    @Test
    void items_survive_a_restart() throws Exception {
        Memory.Item item = new Memory.Item("k", "v", List.of("t"));
        memory().save(ACME, ALICE, item, 10);
        database.close();
        database = Database.open(url);

        assertThat(memory().find(ACME, ALICE, Memory.Criteria.key("k")))
                .containsExactly(new Memory.StoredItem(item, 1));
    }

    @Test
    void operations_are_unavailable_without_a_database() throws Exception {
        Memory memory = memory();
        database.close();

        assertThatThrownBy(() -> memory.save(ACME, ALICE, new Memory.Item("k", "v", List.of()), 10))
                .isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> memory.find(ACME, ALICE, Memory.Criteria.all(1)))
                .isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> memory.delete(ACME, ALICE, "k")).isInstanceOf(Unavailable.class);
    }
}
