package dev.toolgate.server.wiring;

import dev.toolgate.runtime.output.DiskBlobs;
import dev.toolgate.server.config.ArtifactSettings;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.operate.instance.InstanceRegistration;
import dev.toolgate.server.operate.instance.StoragePlaces;
import dev.toolgate.store.Database;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.instance.RunningInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Registers this server with its database. */
final class InstanceParts {
    private InstanceParts() {}

    /**
     * Registers this server. An embedded database is used by one server only, so there are no files to share.
     *
     * @throws IOException if another server on the database uses other storage folders
     */
    static RunningInstance register(ServerSettings settings, Database database, Resources resources)
            throws IOException, SQLException {
        return settings.database().access() == null
                ? resources.register(RunningInstance.start(database.listener(), "this machine"))
                : resources
                        .register(
                                InstanceRegistration.open(database.listener(), places(settings), settingKey(settings)))
                        .instance();
    }

    private static @Nullable SecretDigest settingKey(ServerSettings settings) {
        return settings.auth().adminKey() == null
                ? null
                : SecretDigest.of(settings.auth().adminKey().value());
    }

    private static StoragePlaces places(ServerSettings settings) throws IOException {
        StoragePlaces places = new StoragePlaces()
                .folder("workspace", settings.workspace(), "set TOOLGATE_WORKSPACE to a folder that both of them mount")
                .folder(
                        "workspaces of tenants",
                        made(PartSettings.tenantWorkspaces(settings)),
                        "set TOOLGATE_TENANT_WORKSPACES to a folder that both of them mount");
        ArtifactSettings artifacts = settings.artifacts();
        String remedy =
                "set artifacts.store to s3 with the same bucket, or TOOLGATE_ARTIFACTS to a folder that both mount";
        return switch (artifacts.store()) {
            case DISK -> {
                Path folder = PartSettings.artifacts(settings);
                var _ = DiskBlobs.in(folder); // creates it with owner-only access
                yield places.folder("artifacts", folder, remedy);
            }
            case S3 ->
                places.bucket(
                        "artifacts",
                        Objects.requireNonNullElse(artifacts.endpoint(), "aws") + "/" + artifacts.bucket() + "/"
                                + Objects.requireNonNullElse(artifacts.prefix(), ""),
                        remedy);
        };
    }

    private static Path made(Path folder) throws IOException {
        return Files.createDirectories(folder);
    }
}
