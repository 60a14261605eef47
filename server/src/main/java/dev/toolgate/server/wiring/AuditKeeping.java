package dev.toolgate.server.wiring;

import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.operate.jobs.Job;
import dev.toolgate.server.operate.jobs.Jobs;
import dev.toolgate.server.operate.siem.AuditSource;
import dev.toolgate.server.operate.siem.FollowedFile;
import dev.toolgate.server.operate.siem.SiemExport;
import dev.toolgate.server.operate.trace.OpenTelemetryParts;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.query.AuditFollower;
import dev.toolgate.store.audit.record.AuditRecordJson;
import dev.toolgate.store.audit.retention.AuditRetention;
import dev.toolgate.store.audit.retention.EndedChains;
import dev.toolgate.store.audit.retention.RetentionSettings;
import dev.toolgate.store.audit.rollup.AuditRollup;
import dev.toolgate.store.audit.rollup.RollupKeeper;
import dev.toolgate.store.heldcall.ApprovalRetention;
import dev.toolgate.store.session.Sessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;

/** Wires the retention and export of audit records. */
final class AuditKeeping {
    private static final Duration JOB_POLL_INTERVAL = Duration.ofSeconds(10);
    private static final Duration EXPORT_POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration SESSIONS_KEPT = Duration.ofDays(30); // after their end
    private static final LocalTime AT_NIGHT = LocalTime.of(3, 10);
    private static final LocalTime AFTER_RECORDS = LocalTime.of(3, 40);
    private static final LocalTime AFTER_CHAINS = LocalTime.of(3, 50);
    private static final Duration ROLLUP_INTERVAL = Duration.ofSeconds(5);
    private static final long MAX_FILE_BYTES = 100 << 20;
    private static final int FILES_KEPT = 10;

    private AuditKeeping() {}

    static void begin(
            ServerSettings settings,
            StoreParts store,
            Optional<OpenTelemetryParts> telemetry,
            Clock clock,
            Resources resources)
            throws IOException {
        Database database = store.database();
        AuditRetention retention = new AuditRetention(
                database.retention(),
                clock,
                retention(settings),
                store.checkpoints().prunes().orElse(null));
        EndedChains chains = new EndedChains(
                database.retention(),
                clock,
                retention(settings).keep(),
                store.checkpoints().prunes().orElse(null));
        AuditRollup rollup = new AuditRollup(database.jdbi());
        resources.register(new RollupKeeper(rollup, ROLLUP_INTERVAL));
        ApprovalRetention approvals =
                new ApprovalRetention(database.jdbi(), settings.audit().retention());
        Sessions sessions = new Sessions(database.jdbi());
        resources.register(new Jobs(
                database.dataSource(),
                store.instance().id(),
                Stream.concat(
                                Stream.of(
                                        Job.nowAndDaily("audit-retention", AT_NIGHT, () -> run(retention)),
                                        Job.daily("audit-chain-retention", AFTER_RECORDS, () -> run(chains)),
                                        Job.nowAndDaily("session-retention", AT_NIGHT, () -> forget(sessions, clock)),
                                        Job.daily(
                                                "audit-rollup-retention",
                                                AFTER_CHAINS,
                                                () -> rollup.followRetention(
                                                        LocalDate.now(clock.withZone(ZoneOffset.UTC)),
                                                        retention(settings).keep(),
                                                        retention(settings).keepRefused())),
                                        Job.daily("approval-retention", AT_NIGHT, approvals::run),
                                        Job.daily(
                                                "mcp-retention", AT_NIGHT, () -> McpParts.deleteOld(settings, store))),
                                store.artifacts().jobs().stream())
                        .toList(),
                JOB_POLL_INTERVAL));

        AuditFollower follower = new AuditFollower(database.dataSource());
        AuditSource source = (cursor, max) -> follower.after(cursor, max).stream()
                .map(followed -> new AuditSource.Item(
                        AuditRecordJson.write(followed.record()).toString(), followed.cursor()))
                .toList();
        Path file = settings.audit().followFile();
        if (file != null) {
            resources.register(new SiemExport(
                    "follow", source, new FollowedFile(file, MAX_FILE_BYTES, FILES_KEPT), EXPORT_POLL_INTERVAL));
        }
        telemetry
                .flatMap(open -> open.auditLogs(settings.home().resolve("otlp-logs.cursor")))
                .ifPresent(sink -> resources.register(new SiemExport("otlp", source, sink, EXPORT_POLL_INTERVAL)));
    }

    private static RetentionSettings retention(ServerSettings settings) {
        return new RetentionSettings(
                Period.ofDays(Math.toIntExact(settings.audit().retention().toDays())),
                Period.ofDays(
                        Math.toIntExact(settings.audit().violationsRetention().toDays())),
                settings.audit().keepAnswers(),
                settings.audit().archiveFolder());
    }

    private static void forget(Sessions sessions, Clock clock) {
        sessions.deleteEndedBefore(clock.instant().minus(SESSIONS_KEPT));
    }

    private static void run(EndedChains chains) {
        try {
            chains.run();
        } catch (IOException unsigned) {
            throw new UncheckedIOException(unsigned); // retried the next day
        }
    }

    private static void run(AuditRetention retention) {
        try {
            retention.run();
        } catch (IOException unwritten) {
            throw new UncheckedIOException(unwritten); // retried the next day; nothing was deleted
        }
    }
}
