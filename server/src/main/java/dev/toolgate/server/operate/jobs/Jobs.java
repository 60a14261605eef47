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

/** Does jobs when they are due, each once for all instances on the same database. */
public final class Jobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final Scheduler scheduler;
    private final Thread starter;

    /**
     * Begins in the background.
     *
     * @param instance what this process goes by, for others that look who is at a job
     * @param lookEvery how often to look for jobs that are due
     */
    public Jobs(DataSource database, UUID instance, List<Job> jobs, Duration lookEvery) {
        List<RecurringTask<Void>> tasks = jobs.stream().map(Jobs::task).toList();
        scheduler = Scheduler.create(database)
                .startTasks(tasks)
                .schedulerName(new SchedulerName.Fixed(instance.toString()))
                .threads(1)
                .pollingInterval(lookEvery)
                .shutdownMaxWait(LONGEST_END)
                .build();
        starter = Thread.ofVirtual().name("toolgate-jobs").start(scheduler::start);
    }

    private static RecurringTask<Void> task(Job job) {
        return Tasks.recurring(job.name(), job.schedule()).execute((_, _) -> {
            LOG.info("Job '{}' begins", job.name());
            job.work().run();
            LOG.info("Job '{}' is done", job.name());
        });
    }

    /** Waits a moment for a job that runs, then ends. */
    @Override
    public void close() {
        try {
            starter.join(LONGEST_END);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        scheduler.stop();
    }
}
