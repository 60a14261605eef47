package dev.toolgate.server.operate.jobs;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.time.Instant;

/** The first time now, then as another schedule says. */
record AtOnce(Schedule then) implements Schedule {
    @Override
    public Instant getInitialExecutionTime(Instant now) {
        return now;
    }

    @Override
    public Instant getNextExecutionTime(ExecutionComplete last) {
        return then.getNextExecutionTime(last);
    }

    // Otherwise the time in the database would be checked against this schedule at every start.
    @Override
    public boolean isDeterministic() {
        return false;
    }
}
