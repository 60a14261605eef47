package dev.toolgate.server.operate.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JobsTest {
    private static final Duration OFTEN = Duration.ofMillis(50);

    /** A time of day such that the next run is tomorrow. */
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
        AtomicInteger others = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        Job retention = Job.nowAndDaily("retention", anHourAgo(), () -> {
            runs.incrementAndGet();
            awaitQuietly(release);
        });
        Job other = Job.nowAndDaily("other", anHourAgo(), others::incrementAndGet);
        try (Database first = Database.open(url);
                Database second = Database.open(url);
                Jobs _ = new Jobs(first.dataSource(), UUID.randomUUID(), List.of(retention), OFTEN);
                Jobs _ = new Jobs(second.dataSource(), UUID.randomUUID(), List.of(retention), OFTEN)) {
            await().until(() -> runs.get() >= 1);
            try (Jobs _ = new Jobs(second.dataSource(), UUID.randomUUID(), List.of(retention, other), OFTEN)) {
                // An instance that polls while the job runs, and finds other work.
                await().until(() -> others.get() == 1);
                release.countDown();
                await().until(() -> due(first) == 0);
            }
            assertThat(runs).hasValue(1);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_missed_job_runs_at_the_next_start() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        List<Job> jobs = List.of(Job.daily("retention", anHourAgo(), runs::incrementAndGet));
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            try (Jobs _ = new Jobs(database.dataSource(), UUID.randomUUID(), jobs, OFTEN)) {
                await().until(() -> scheduled(database) == 1);
            }
            assertThat(runs).hasValue(0);
            database.jdbi()
                    .useHandle(handle ->
                            handle.execute("UPDATE scheduled_tasks SET execution_time = now() - interval '1 hour'"));
            try (Jobs _ = new Jobs(database.dataSource(), UUID.randomUUID(), jobs, OFTEN)) {
                await().until(() -> runs.get() == 1);
            }
        }
    }

    @Test
    void a_failed_job_runs_again_when_next_due() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Job breaking = Job.nowAndDaily("retention", anHourAgo(), () -> {
            runs.incrementAndGet();
            throw new IllegalStateException("broken");
        });
        try (Database database = Database.open(MigratedDatabase.fresh());
                Jobs _ = new Jobs(database.dataSource(), UUID.randomUUID(), List.of(breaking), OFTEN)) {
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
