package dev.toolgate.server.wiring;

import dev.toolgate.core.artifact.ArtifactLimits;
import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.artifact.Blobs;
import dev.toolgate.core.artifact.IndexedArtifacts;
import dev.toolgate.core.artifact.OrphanedBlobs;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.undo.ArtifactKeptChanges;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.runtime.output.DiskBlobs;
import dev.toolgate.server.config.ArtifactSettings;
import dev.toolgate.server.config.Secret;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.operate.jobs.Job;
import dev.toolgate.store.Database;
import dev.toolgate.store.artifact.ArtifactRetention;
import dev.toolgate.store.artifact.PostgresArtifactIndex;
import dev.toolgate.store.s3.S3Blobs;
import dev.toolgate.store.s3.S3Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Wires the artifact store and its nightly clean-up jobs.
 *
 * @param states stores the states before and after changes; {@code null} if undo is disabled
 * @param jobs the clean-up jobs
 */
record ArtifactParts(ArtifactStore store, @Nullable ArtifactStore states, List<Job> jobs) {
    private static final LocalTime JOB_TIME = LocalTime.of(3, 40);
    // Longer than any upload takes between storing its bytes and inserting its row.
    private static final Duration ORPHAN_AGE = Duration.ofDays(1);

    static ArtifactParts of(ServerSettings settings, Database database, Clock clock, Resources resources)
            throws IOException {
        ArtifactSettings wanted = settings.artifacts();
        Path folder = PartSettings.artifacts(settings);
        Blobs blobs =
                switch (wanted.store()) {
                    case DISK -> DiskBlobs.in(folder);
                    case S3 -> resources.register(S3Blobs.open(bucket(wanted, folder)));
                };
        PostgresArtifactIndex index = new PostgresArtifactIndex(database.jdbi());
        ArtifactStore store = new IndexedArtifacts(
                blobs,
                index,
                new ArtifactLimits(
                        wanted.maxSize().bytes(), wanted.quotaPerTenant().bytes()),
                clock);
        List<Job> jobs = new ArrayList<>();
        OrphanedBlobs orphans = new OrphanedBlobs(blobs, index);
        jobs.add(Job.daily(
                "artifact-orphans",
                JOB_TIME,
                () -> run(() -> orphans.remove(clock.instant().minus(ORPHAN_AGE)))));
        ArtifactRetention retention = new ArtifactRetention(database.jdbi(), store);
        jobs.add(Job.daily(
                "undo-retention",
                JOB_TIME,
                () -> run(() -> retention.removeKeptStates(clock.instant().minus(wanted.undoRetention())))));
        Duration keptFor = wanted.retention();
        if (keptFor != null) {
            jobs.add(Job.daily(
                    "artifact-retention",
                    JOB_TIME,
                    () -> run(() -> retention.remove(clock.instant().minus(keptFor)))));
        }
        // States for undo are stored only up to half of the quota, so that they never displace other artifacts.
        ArtifactStore states = wanted.undoRetention().isZero()
                ? null
                : new IndexedArtifacts(
                        blobs,
                        index,
                        new ArtifactLimits(
                                wanted.maxSize().bytes(),
                                wanted.quotaPerTenant().bytes() / 2),
                        clock);
        return new ArtifactParts(store, states, List.copyOf(jobs));
    }

    /** The store of the states needed to undo changes. */
    KeptChanges keptChanges(Redactor redactor) {
        return states == null ? KeptChanges.NONE : new ArtifactKeptChanges(states, redactor);
    }

    private static S3Settings bucket(ArtifactSettings wanted, Path folder) {
        Secret id = wanted.accessKeyId();
        Secret secret = wanted.secretAccessKey();
        return new S3Settings(
                Objects.requireNonNull(wanted.bucket()), // checked by the settings
                Objects.requireNonNullElse(wanted.prefix(), ""),
                wanted.endpoint(),
                wanted.region(),
                wanted.pathStyle() ? S3Settings.Addressing.IN_PATH : S3Settings.Addressing.IN_HOST,
                id == null || secret == null ? null : new S3Settings.Key(id.value(), secret.value()),
                folder.resolve("incoming"));
    }

    private interface Work {
        long run() throws IOException;
    }

    private static void run(Work work) {
        try {
            long _ = work.run();
        } catch (IOException unreachable) {
            throw new UncheckedIOException(unreachable); // retried the next day
        }
    }
}
