package dev.toolgate.server.operate.jobs;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.time.Instant;

/** A schedule whose first run is immediate; the rest follow another schedule. */
record RunFirstNow(Schedule then) implements Schedule {
    @Override
    public Instant getInitialExecutionTime(Instant now) {
        return now;
    }

    @Override
    public Instant getNextExecutionTime(ExecutionComplete last) {
        return then.getNextExecutionTime(last);
    }

    // Otherwise db-scheduler would check the stored time against this schedule at every start.
    @Override
    public boolean isDeterministic() {
        return false;
    }
}
