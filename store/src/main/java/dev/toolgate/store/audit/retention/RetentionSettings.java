package dev.toolgate.store.audit.retention;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Period;
import org.jspecify.annotations.Nullable;

/**
 * How long things are kept.
 *
 * @param keep how long records are kept; a month goes when its youngest day is older
 * @param keepRefused how long the records of refused calls are kept
 * @param keepOutcomes how long a repeated call is answered with the first outcome
 * @param archive the folder to which a month is written before it is dropped; {@code null} for none
 */
public record RetentionSettings(
        Period keep,
        Period keepRefused,
        Duration keepOutcomes,
        @Nullable Path archive) {

    /** A year, three for refused calls, a day for outcomes, and no archive. */
    public static RetentionSettings usual() {
        return new RetentionSettings(Period.ofYears(1), Period.ofYears(3), Duration.ofHours(24), null);
    }

    public RetentionSettings archivingTo(@Nullable Path folder) {
        return new RetentionSettings(keep, keepRefused, keepOutcomes, folder);
    }
}
