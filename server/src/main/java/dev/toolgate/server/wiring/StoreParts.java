package dev.toolgate.server.wiring;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.server.condition.CelConditions;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.grant.PostgresGrants;
import dev.toolgate.store.heldcall.PostgresApprovalDesk;
import dev.toolgate.store.heldcall.PostgresApprovals;
import dev.toolgate.store.instance.RunningInstance;
import dev.toolgate.store.requestkey.PostgresRequestKeys;
import dev.toolgate.store.session.PostgresPolicies;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.util.function.UnaryOperator;

/**
 * Opens the database and the stores on it, each once.
 *
 * @param audit the log itself
 * @param records the log that calls are recorded in
 * @param desk where approval requests are answered
 */
record StoreParts(
        Database database,
        RunningInstance instance,
        CelConditions conditions,
        PostgresGrants grants,
        PostgresPolicies policies,
        PostgresAuditLog audit,
        AuditLog records,
        CheckpointParts checkpoints,
        PostgresRequestKeys requestKeys,
        PostgresApprovals approvals,
        ApprovalDesk desk,
        ArtifactParts artifacts) {

    static StoreParts open(ServerSettings settings, UnaryOperator<AuditLog> recording, Clock clock, Resources resources)
            throws IOException, SQLException {
        Database database = resources.register(
                Database.openWith(settings.home(), settings.database().access()));
        RunningInstance instance = InstanceParts.register(settings, database, resources);
        CelConditions conditions = new CelConditions();
        PostgresGrants grants = resources.register(new PostgresGrants(database.connections(), conditions, clock));
        CheckpointParts checkpoints = CheckpointParts.open(settings, database, clock, resources);
        PostgresAuditLog audit = resources.register(
                new PostgresAuditLog(database.unpooled(), settings.audit().timeout()));
        checkpoints.follow(audit);
        PostgresRequestKeys requestKeys = resources.register(
                new PostgresRequestKeys(database.unpooled(), settings.audit().timeout()));
        ArtifactParts artifacts = ArtifactParts.of(settings, database, clock, resources);
        PostgresApprovals approvals = resources.register(new PostgresApprovals(database.jdbi(), instance));
        return new StoreParts(
                database,
                instance,
                conditions,
                grants,
                new PostgresPolicies(database.jdbi(), database.dataSource()),
                audit,
                recording.apply(audit),
                checkpoints,
                requestKeys,
                approvals,
                new PostgresApprovalDesk(database.jdbi()),
                artifacts);
    }
}
