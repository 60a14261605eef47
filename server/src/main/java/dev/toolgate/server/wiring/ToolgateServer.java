package dev.toolgate.server.wiring;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.ScopeRule;
import dev.toolgate.core.decision.SessionRule;
import dev.toolgate.core.decision.TrustRule;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.pipeline.Admit;
import dev.toolgate.core.pipeline.Bind;
import dev.toolgate.core.pipeline.Decide;
import dev.toolgate.core.pipeline.Hold;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.pipeline.Repeats;
import dev.toolgate.core.pipeline.Run;
import dev.toolgate.core.pipeline.Seal;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.http.server.HttpServer;
import dev.toolgate.http.tls.TlsCertificate;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.tools.network.AddressPolicies;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.audit.AuditRoutes;
import dev.toolgate.server.admin.audit.AuditStreamRoute;
import dev.toolgate.server.condition.CelConditions;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.door.access.CallRoutes;
import dev.toolgate.server.door.access.ToolRoutes;
import dev.toolgate.server.door.artifact.ArtifactRoutes;
import dev.toolgate.server.door.model.ProviderRoutes;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.HeldCallRunner;
import dev.toolgate.server.identity.AdminKey;
import dev.toolgate.server.limit.RateLimits;
import dev.toolgate.server.model.ModelProviders;
import dev.toolgate.server.openapi.OpenApiRoutes;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.operate.OperationRoutes;
import dev.toolgate.server.operate.Release;
import dev.toolgate.server.operate.health.Health;
import dev.toolgate.server.operate.health.HealthCheck;
import dev.toolgate.server.operate.health.ServerParts;
import dev.toolgate.server.operate.log.Logging;
import dev.toolgate.server.operate.metrics.Metrics;
import dev.toolgate.server.operate.metrics.PoolGauges;
import dev.toolgate.server.operate.metrics.ToolLabels;
import dev.toolgate.server.operate.trace.CallEvents;
import dev.toolgate.server.operate.trace.CallTracing;
import dev.toolgate.server.operate.trace.OpenTelemetryParts;
import dev.toolgate.server.operate.trace.Telemetry;
import dev.toolgate.server.secret.SecretSources;
import dev.toolgate.store.Database;
import dev.toolgate.store.approval.CollectedCalls;
import dev.toolgate.store.approval.PostgresApprovals;
import dev.toolgate.store.audit.AuditFeed;
import dev.toolgate.store.audit.AuditQueries;
import dev.toolgate.store.audit.PostgresAuditLog;
import dev.toolgate.store.audit.PostgresRequestKeys;
import dev.toolgate.store.grant.PostgresGrants;
import dev.toolgate.store.identity.AdminKeys;
import dev.toolgate.store.instance.RunningInstance;
import dev.toolgate.store.policy.PostgresPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole server, wired in one place. */
public final class ToolgateServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ToolgateServer.class);
    private static final Duration PATIENCE_FOR_FIRST_CALL = Duration.ofSeconds(30);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);
    private static final int MOST_WAITING = 2000;
    private static final int MOST_OUTPUT_BYTES = 2 * 1024 * 1024;

    private final Resources closing;
    private final PostgresApprovals approvals;
    private final Gate gate;
    private final HttpServer http;
    private final Duration grace;
    private final AdminKey.Place adminKey;

    private ToolgateServer(
            Resources closing,
            PostgresApprovals approvals,
            Gate gate,
            HttpServer http,
            Duration grace,
            AdminKey.Place adminKey) {
        this.closing = closing;
        this.approvals = approvals;
        this.gate = gate;
        this.http = http;
        this.grace = grace;
        this.adminKey = adminKey;
    }

    /**
     * Starts the server; when this returns it answers.
     *
     * @throws IOException with one sentence that says what cannot be used and what to do about it
     * @throws IllegalArgumentException with one sentence that says which setting is wrong
     */
    public static ToolgateServer start(ServerSettings settings, List<Tool<?>> moreTools) throws IOException {
        return start(settings, moreTools, UnaryOperator.identity());
    }

    /**
     * The same, with calls recorded in another way, for those who compare ways.
     *
     * @param recording is given the usual log
     */
    public static ToolgateServer start(
            ServerSettings settings, List<Tool<?>> moreTools, UnaryOperator<AuditLog> recording) throws IOException {
        Resources closing = new Resources();
        try {
            return start(settings, moreTools, recording, closing);
        } catch (SQLException unusable) {
            closing.close();
            throw new IOException("The database cannot be used: " + unusable.getMessage(), unusable);
        } catch (IOException | RuntimeException failed) {
            closing.close();
            throw failed;
        }
    }

    private static ToolgateServer start(
            ServerSettings settings, List<Tool<?>> moreTools, UnaryOperator<AuditLog> recording, Resources closing)
            throws IOException, SQLException {
        Clock clock = Clock.systemUTC();
        KnownSecrets handedOut = new KnownSecrets();
        Logging.apply(settings.log(), Redaction.ofLogs(settings, handedOut));
        RuntimeSettings runtime = PartSettings.runtime(settings);
        Files.createDirectories(settings.home());
        WorkspaceAccount.make(settings.workspace());
        Database database = closing.after(
                Database.openWith(settings.home(), settings.database().access()));

        RunningInstance instance = InstanceParts.register(settings, database, closing);
        AddressPolicies addresses = AddressPolicies.publicAnd(PartSettings.internalPlaces(settings));
        WorkspaceParts workspaces = WorkspaceParts.open(settings, runtime, addresses, closing);
        Secrets secrets = SecretSources.of(settings.secrets(), System.getenv(), handedOut);
        ModelProviders models = closing.after(ModelProviders.of(settings.models(), secrets));
        ToolCatalog catalog = new ToolCatalog();
        Stream.concat(
                        workspaces.tools().stream(),
                        RemoteTools.of(settings, addresses, secrets, models, database, closing).stream())
                .filter(tool ->
                        !settings.tools().disabled().contains(tool.spec().name()))
                .forEach(catalog::add);
        moreTools.forEach(catalog::add);

        CelConditions conditions = new CelConditions();
        PostgresGrants grants = closing.after(new PostgresGrants(database.connections(), conditions, clock));
        CheckpointParts checkpoints = CheckpointParts.open(settings, database, clock, closing);
        PostgresAuditLog audit = closing.after(
                new PostgresAuditLog(database.sessions(), settings.audit().patience()));
        checkpoints.follow(audit);
        AuditLog records = recording.apply(audit);
        PostgresRequestKeys keys = closing.after(
                new PostgresRequestKeys(database.sessions(), settings.audit().patience()));
        ArtifactParts artifacts = ArtifactParts.of(settings, database, clock, closing);
        Redactor redactor = Redaction.of(settings, handedOut);
        KeyedDigest digest = DigestKey.of(settings.audit().digestKey(), settings.home());
        PostgresApprovals approvals = closing.after(new PostgresApprovals(database.jdbi(), instance));
        GrantRule grantRule = new GrantRule(grants, clock);
        GrantAdvice advice = new GrantAdvice(grants, catalog, clock);
        PostgresPolicies policies = new PostgresPolicies(database.jdbi());
        Pipeline pipeline = new Pipeline(
                new Repeats(keys, grantRule, PATIENCE_FOR_FIRST_CALL),
                new Admit(
                        policies,
                        RateLimits.of(PartSettings.limits(settings.limits()), catalog, database.dataSource()),
                        PartSettings.refused(settings.limits().refused()),
                        clock),
                new Bind(catalog, Platform.current()::isAbsolute),
                new Decide(List.of(
                        grantRule,
                        new SessionRule(workspaces.workspaces().places()),
                        new ScopeRule(),
                        new TrustRule())),
                new Hold(
                        approvals,
                        settings.approvals()::termsOf,
                        settings.approvals().patience(),
                        settings.approvals().expireAfter(),
                        redactor),
                new Run(grantRule, records, redactor, digest, clock),
                new Seal(
                        records,
                        artifacts.store(),
                        redactor,
                        digest,
                        tool -> Optional.ofNullable(settings.costs().get(tool)),
                        MOST_OUTPUT_BYTES),
                clock);

        ToolLabels names = new ToolLabels(catalog);
        Metrics metrics = closing.after(new Metrics(names));
        PoolGauges.watch(database.dataSource(), metrics);
        Optional<OpenTelemetryParts> telemetry = Telemetry.open(System.getenv());
        telemetry.ifPresent(closing::after);
        Gate gate = new Gate(
                new Callers(policies),
                pipeline,
                metrics,
                telemetry
                        .map(open -> open.calls(settings.telemetry(), names, redactor))
                        .orElse(CallTracing.NONE),
                telemetry.flatMap(open -> open.callEvents(names)).orElse(CallEvents.NONE));
        approvals.resumeWith(new HeldCallRunner(gate));
        metrics.watch("toolgate.approvals.open", "Calls that wait for a person's answer", Map.of(), approvals::open);
        checkpoints.watch(metrics);
        Health health = ServerParts.of(
                        Release.version(), database, workspaces::confinement, audit::waiting, MOST_WAITING)
                .with("checkpoints", checkpoints::health, HealthCheck.degraded("Not known yet."));
        TlsCertificate tls = ServerCertificate.load(settings, health, clock);
        if (tls != null) {
            closing.after(tls);
        }

        AdminKey.Place adminKey = AdminKey.prepare(
                settings.auth().adminKey() == null
                        ? null
                        : settings.auth().adminKey().value(),
                settings.home(),
                new AdminKeys(database.jdbi()),
                clock);
        IdentityParts identity = closing.after(IdentityParts.of(settings.auth(), database, clock));
        AuditedChanges changes = new AuditedChanges(records, redactor, clock);
        Administration administration = new Administration(changes);
        HttpCalls calls = new HttpCalls(gate, new CallCollector(gate, new CollectedCalls(database.jdbi())));
        Routes routes = Administration.requireRecorded(Routes.of(
                new ToolRoutes(
                                gate,
                                calls,
                                grants,
                                advice,
                                Math.toIntExact(settings.http().maxBody().bytes()))
                        .all(),
                new CallRoutes(calls, grants, advice).all(),
                ApprovalParts.routes(database, approvals, catalog, administration),
                AdministrationParts.routes(
                        database,
                        conditions,
                        grants,
                        identity,
                        settings.auth().keys().expireAfter(),
                        catalog,
                        administration,
                        workspaces.writes()::changes,
                        redactor,
                        clock),
                new AuditRoutes(new AuditQueries(database.jdbi()), checkpoints, clock).all(),
                new AuditStreamRoute(closing.after(new AuditFeed(database.sessions()))).all(),
                Doors.routes(settings, gate, calls, catalog, grants, policies, database, clock),
                ChatParts.routes(
                        settings, gate, catalog, grants, policies, models, database, metrics, administration, clock),
                new ProviderRoutes(models).all(),
                new ArtifactRoutes(artifacts.store(), new ArtifactAccess(grants, policies, clock), changes).all(),
                new OperationRoutes(health, metrics, clock).all(),
                new OpenApiRoutes(Release.version()).all()));
        AuditKeeping.begin(settings, database, instance, checkpoints, telemetry, clock, artifacts.jobs(), closing);
        HttpServer http = closing.after(HttpServer.start(
                PartSettings.http(settings, tls),
                routes,
                identity.authenticator(),
                metrics::requestEnded,
                Doors.cors(settings.dialect())));
        return new ToolgateServer(
                closing, approvals, gate, http, settings.http().grace(), adminKey);
    }

    /** Where to reach it. */
    public String url() {
        return http.url();
    }

    /** The ports it listens on, the main one first. */
    public List<Integer> ports() {
        return http.ports();
    }

    /** Everything it can be asked. */
    public Routes routes() {
        return http.routes();
    }

    /** Where the first admin's key is. */
    public AdminKey.Place adminKey() {
        return adminKey;
    }

    /** Stops accepting, finishes or cancels running calls within the grace period, and lets go of everything. */
    @Override
    public void close() {
        // Both at once: while the last calls are waited for, nothing new is accepted.
        Thread stopping = Thread.ofVirtual().name("toolgate-stop").start(() -> {
            try {
                http.stop(grace.plus(LAST_ANSWERS));
            } catch (IOException unclean) {
                LOG.warn("The HTTP server did not stop cleanly: {}", unclean.getMessage());
            }
        });
        approvals.leave(); // what waits for a person is left for whoever comes next, or withdrawn if nobody can
        gate.stop(grace);
        try {
            stopping.join();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        closing.close();
    }
}
