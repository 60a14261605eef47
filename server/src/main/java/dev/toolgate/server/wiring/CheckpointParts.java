package dev.toolgate.server.wiring;

import dev.toolgate.server.admin.audit.CheckpointView;
import dev.toolgate.server.config.CheckpointSettings;
import dev.toolgate.server.config.Secret;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.operate.health.HealthCheck;
import dev.toolgate.server.operate.metrics.Metrics;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.chain.ChainAlarms;
import dev.toolgate.store.audit.retention.CheckpointedChains;
import dev.toolgate.store.audit.retention.PrunePublisher;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.checkpoint.Checkpoint;
import dev.toolgate.store.checkpoint.CheckpointFolder;
import dev.toolgate.store.checkpoint.CheckpointPublisher;
import dev.toolgate.store.checkpoint.CheckpointPublisher.StoreState;
import dev.toolgate.store.checkpoint.CheckpointStore;
import dev.toolgate.store.checkpoint.HttpReceiver;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.checkpoint.SigningKey;
import dev.toolgate.store.checkpoint.TreeHead;
import dev.toolgate.store.checkpoint.VerifierKey;
import dev.toolgate.store.s3.S3Checkpoints;
import dev.toolgate.store.s3.S3Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Wires the signed checkpoints of the audit log: key, storage places, publisher and health. */
final class CheckpointParts implements CheckpointView {
    private final CheckpointFolder folder;
    private final @Nullable S3Checkpoints bucket;
    private final @Nullable Publishing publishing;
    private volatile @Nullable PostgresAuditLog audit;

    private record Publishing(CheckpointPublisher publisher, CheckpointedChains chains) {}

    /** Must be closed after the audit log, so that its last records get a checkpoint. */
    static CheckpointParts open(ServerSettings settings, Database database, Clock clock, Resources resources)
            throws IOException {
        return new CheckpointParts(settings, database, clock, resources);
    }

    private CheckpointParts(ServerSettings settings, Database database, Clock clock, Resources resources)
            throws IOException {
        CheckpointSettings wanted = settings.audit().checkpoints();
        Path place = wanted.folder() == null ? settings.home().resolve("checkpoints") : wanted.folder();
        folder = new CheckpointFolder(place);
        if (!wanted.enabled()) {
            bucket = null;
            publishing = null;
            return;
        }
        SigningKey key = SigningKey.loadOrCreate(settings.home().resolve("checkpoint.key"), wanted.name());
        folder.addKey(key.verifier());
        List<CheckpointStore> places = new ArrayList<>(List.of(folder));
        bucket = wanted.s3().bucket() == null
                ? null
                : new S3Checkpoints(s3(wanted.s3(), place), wanted.s3().lock(), clock);
        if (bucket != null) {
            places.add(bucket);
        }
        if (wanted.receiver() != null) {
            Secret token = wanted.receiverToken();
            places.add(new HttpReceiver(wanted.receiver(), token == null ? null : token.value()));
        }
        CheckpointedChains chains = new CheckpointedChains(database.jdbi(), folder, this::heads);
        publishing = new Publishing(
                resources.register(new CheckpointPublisher(key, places, wanted.every(), clock, chains)), chains);
    }

    private static S3Settings s3(CheckpointSettings.S3 wanted, Path folder) {
        Secret id = wanted.accessKeyId();
        Secret secret = wanted.secretAccessKey();
        return new S3Settings(
                Objects.requireNonNull(wanted.bucket()),
                Objects.requireNonNullElse(wanted.prefix(), ""),
                wanted.endpoint(),
                wanted.region(),
                wanted.pathStyle() ? S3Settings.Addressing.IN_PATH : S3Settings.Addressing.IN_HOST,
                id == null || secret == null ? null : new S3Settings.Key(id.value(), secret.value()),
                folder);
    }

    /** Starts signing the chains of this log. */
    void follow(PostgresAuditLog log) {
        audit = log;
    }

    private List<TreeHead> heads() {
        PostgresAuditLog log = audit;
        return log == null ? List.of() : log.heads();
    }

    /** Receives what retention deletes; empty if checkpoints are disabled. */
    Optional<PrunePublisher> prunes() {
        return publishing == null ? Optional.empty() : Optional.of(publishing.publisher()::publishPrune);
    }

    @Override
    public KnownCheckpoints known() throws IOException {
        KnownCheckpoints known = new KnownCheckpoints(folder.keys());
        if (publishing != null) {
            folder.read(known::add);
        }
        if (bucket != null) {
            bucket.read(known::add);
        }
        return known;
    }

    @Override
    public List<VerifierKey> keys() throws IOException {
        return folder.keys();
    }

    @Override
    public List<Checkpoint> newest() throws IOException {
        List<Checkpoint> newest = new ArrayList<>();
        for (TreeHead head : heads()) {
            List<Checkpoint> last = new ArrayList<>();
            folder.read(head.chain(), found -> {
                last.clear();
                last.add(found);
            });
            newest.addAll(last);
        }
        return newest;
    }

    @Override
    public List<StoreState> places() {
        return publishing == null ? List.of() : publishing.publisher().states();
    }

    private List<String> alarms() {
        PostgresAuditLog log = audit;
        List<String> alarms = new ArrayList<>();
        if (log != null) {
            log.alarms().all().stream().map(ChainAlarms.Alarm::toString).forEach(alarms::add);
        }
        if (publishing != null) {
            alarms.addAll(publishing.chains().mismatches());
        }
        return alarms;
    }

    /** The health of checkpoints. */
    HealthCheck health() {
        List<String> alarms = alarms();
        if (!alarms.isEmpty()) {
            return HealthCheck.degraded("The audit log was changed in the database (" + alarms.getFirst()
                    + "); run 'toolgate audit verify'.");
        }
        if (publishing == null) {
            return HealthCheck.ok("Checkpoints are not signed (audit.checkpoints.enabled is false).");
        }
        String failing = places().stream()
                .filter(place -> place.failure() != null)
                .map(place -> place.store() + ": " + place.failure())
                .collect(Collectors.joining("; "));
        return failing.isEmpty()
                ? HealthCheck.ok("Checkpoints are stored in "
                        + places().stream().map(StoreState::store).collect(Collectors.joining(", ")) + ".")
                : HealthCheck.degraded("Checkpoints could not be stored everywhere and are retried: " + failing + ".");
    }

    void watch(Metrics metrics) {
        metrics.watch(
                "toolgate.audit.alarms",
                "Chains of audit records that were changed in the database",
                Map.of(),
                () -> alarms().size());
        metrics.watch(
                "toolgate.checkpoints.failing",
                "Storage places that do not accept checkpoints",
                Map.of(),
                () -> places().stream().filter(place -> place.failure() != null).count());
    }
}
