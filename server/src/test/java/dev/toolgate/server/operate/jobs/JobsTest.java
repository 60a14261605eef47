package dev.toolgate.server.operate.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.Database;
import dev.toolgate.store.DatabaseUrl;
import dev.toolgate.store.MigratedDatabase;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JobsTest {
    private static final Duration OFTEN = Duration.ofMillis(50);

    /** So that the next time is tomorrow. */
    private static LocalTime anHourAgo() {
        return LocalTime.now(ZoneOffset.UTC).minusHours(1);
    }

    private static int due(Database database) {
        return database.jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM scheduled_tasks WHERE picked OR execution_time <= now()")
                .mapTo(Integer.class)
                .one());
    }

    @Test
    void a_job_runs_once_for_all_instances_on_one_database() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger afterwards = new AtomicInteger();
        List<Job> jobs = List.of(Job.atOnceAndDaily("retention", anHourAgo(), runs::incrementAndGet));
        // Both look every 50 milliseconds, and each also does a job of its own that shows it looks.
        try (Database first = Database.open(url);
                Database second = Database.open(url);
                Jobs _ = new Jobs(first.dataSource(), jobs, OFTEN);
                Jobs _ = new Jobs(second.dataSource(), jobs, OFTEN)) {
            await().until(() -> runs.get() >= 1 && due(first) == 0);
            try (Jobs _ = new Jobs(
                    second.dataSource(),
                    List.of(jobs.getFirst(), Job.atOnceAndDaily("other", anHourAgo(), afterwards::incrementAndGet)),
                    OFTEN)) {
                await().until(() -> afterwards.get() == 1 && due(first) == 0);
            }
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void a_job_whose_time_passed_while_nobody_was_there_is_done_at_the_next_start() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        List<Job> jobs = List.of(Job.daily("retention", anHourAgo(), runs::incrementAndGet));
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            try (Jobs _ = new Jobs(database.dataSource(), jobs, OFTEN)) {
                await().until(() -> scheduled(database) == 1);
            }
            assertThat(runs).hasValue(0);
            database.jdbi()
                    .useHandle(handle ->
                            handle.execute("UPDATE scheduled_tasks SET execution_time = now() - interval '1 hour'"));
            try (Jobs _ = new Jobs(database.dataSource(), jobs, OFTEN)) {
                await().until(() -> runs.get() == 1);
            }
        }
    }

    @Test
    void a_job_that_breaks_is_tried_again_when_it_is_next_due() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Job breaking = Job.atOnceAndDaily("retention", anHourAgo(), () -> {
            runs.incrementAndGet();
            throw new IllegalStateException("broken");
        });
        try (Database database = Database.open(MigratedDatabase.fresh());
                Jobs _ = new Jobs(database.dataSource(), List.of(breaking), OFTEN)) {
            await().until(() -> runs.get() == 1 && scheduled(database) == 1 && due(database) == 0);
        }
    }

    private static int scheduled(Database database) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT count(*) FROM scheduled_tasks WHERE NOT picked")
                        .mapTo(Integer.class)
                        .one());
    }
}
