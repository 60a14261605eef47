package dev.toolgate.server.operate.jobs;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs jobs when they are due, each on one of the instances on the same database. */
public final class Jobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    private final Scheduler scheduler;
    private final Thread starter;

    /**
     * Starts in the background.
     *
     * @param instance the id of this process, stored with a running job
     * @param pollInterval how often to check for due jobs
     */
    public Jobs(DataSource database, UUID instance, List<Job> jobs, Duration pollInterval) {
        List<RecurringTask<Void>> tasks = jobs.stream().map(Jobs::task).toList();
        scheduler = Scheduler.create(database)
                .startTasks(tasks)
                .schedulerName(new SchedulerName.Fixed(instance.toString()))
                .threads(1)
                .pollingInterval(pollInterval)
                .shutdownMaxWait(SHUTDOWN_TIMEOUT)
                .build();
        starter = Thread.ofVirtual().name("toolgate-jobs").start(scheduler::start);
    }

    private static RecurringTask<Void> task(Job job) {
        return Tasks.recurring(job.name(), job.schedule()).execute((_, _) -> {
            LOG.info("Job '{}' started", job.name());
            job.work().run();
            LOG.info("Job '{}' finished", job.name());
        });
    }

    /** Waits a moment for a running job, then stops. */
    @Override
    public void close() {
        try {
            starter.join(SHUTDOWN_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        scheduler.stop();
    }
}
