package dev.toolgate.server.operate.jobs;

import com.github.kagkarlsson.scheduler.task.schedule.Daily;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * A scheduled job.
 *
 * @param name must be the same on every instance and in every version
 */
public record Job(String name, Schedule schedule, Runnable work) {

    /** A job that runs once a day, or as soon as possible if that time was missed. */
    public static Job daily(String name, LocalTime utc, Runnable work) {
        return new Job(name, new Daily(ZoneOffset.UTC, utc), work);
    }

    /** A job that runs at the first start of the server, and then once a day. */
    public static Job nowAndDaily(String name, LocalTime utc, Runnable work) {
        return new Job(name, new RunFirstNow(new Daily(ZoneOffset.UTC, utc)), work);
    }
}
