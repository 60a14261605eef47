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
    void it_is_still_there_after_a_restart() throws Exception {
        Memory.Item item = new Memory.Item("k", "v", List.of("t"));
        memory().save(ACME, ALICE, item, 10);
        database.close();
        database = Database.open(url);

        assertThat(memory().find(ACME, ALICE, Memory.Question.key("k"))).containsExactly(new Memory.Kept(item, 1));
    }

    @Test
    void without_its_database_it_says_that_it_cannot_be_reached() throws Exception {
        Memory memory = memory();
        database.close();

        assertThatThrownBy(() -> memory.save(ACME, ALICE, new Memory.Item("k", "v", List.of()), 10))
                .isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> memory.find(ACME, ALICE, Memory.Question.all(1)))
                .isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> memory.delete(ACME, ALICE, "k")).isInstanceOf(Unavailable.class);
    }
}
