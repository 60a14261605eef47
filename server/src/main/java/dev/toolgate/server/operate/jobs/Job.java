package dev.toolgate.server.operate.jobs;

import com.github.kagkarlsson.scheduler.task.schedule.Daily;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * Work that is done by the clock.
 *
 * @param name the same on every instance and in every version
 */
public record Job(String name, Schedule schedule, Runnable work) {

    /** Work that is done once a day, or as soon as possible when that time was missed. */
    public static Job daily(String name, LocalTime utc, Runnable work) {
        return new Job(name, new Daily(ZoneOffset.UTC, utc), work);
    }

    /** Work that is done as soon as the server is there for the first time, and then once a day. */
    public static Job atOnceAndDaily(String name, LocalTime utc, Runnable work) {
        return new Job(name, new AtOnce(new Daily(ZoneOffset.UTC, utc)), work);
    }
}
