package dev.toolgate.store.audit.retention;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Period;
import org.jspecify.annotations.Nullable;

/**
 * Retention periods.
 *
 * @param keep how long records are kept; a month is dropped when its last day is older
 * @param keepRefused how long the records of refused calls are kept
 * @param keepOutcomes how long a repeated call gets the outcome of the first one
 * @param archive the folder to which a month is archived before it is dropped; {@code null} for none
 */
public record RetentionSettings(
        Period keep,
        Period keepRefused,
        Duration keepOutcomes,
        @Nullable Path archive) {

    /** A year, three for refused calls, a day for outcomes, and no archive. */
    public static RetentionSettings defaults() {
        return new RetentionSettings(Period.ofYears(1), Period.ofYears(3), Duration.ofHours(24), null);
    }

    public RetentionSettings archivingTo(@Nullable Path folder) {
        return new RetentionSettings(keep, keepRefused, keepOutcomes, folder);
    }
}
