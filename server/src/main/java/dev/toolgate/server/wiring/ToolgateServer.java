package dev.toolgate.server.wiring;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.http.server.HttpServer;
import dev.toolgate.http.tls.TlsCertificate;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.identity.AdminKey;
import dev.toolgate.server.model.ModelProviders;
import dev.toolgate.server.operate.Release;
import dev.toolgate.server.operate.health.Health;
import dev.toolgate.server.operate.health.HealthCheck;
import dev.toolgate.server.operate.health.ServerHealthChecks;
import dev.toolgate.server.operate.log.Logging;
import dev.toolgate.server.secret.SecretSources;
import dev.toolgate.store.heldcall.PostgresApprovals;
import dev.toolgate.store.identity.AdminKeys;
import dev.toolgate.store.memory.PostgresMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole server, built from its parts. */
public final class ToolgateServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ToolgateServer.class);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_WAITING_RECORDS = 2000;

    private final Resources resources;
    private final PostgresApprovals approvals;
    private final Gate gate;
    private final HttpServer http;
    private final Duration grace;
    private final AdminKey.Place adminKey;

    private ToolgateServer(
            Resources resources,
            PostgresApprovals approvals,
            Gate gate,
            HttpServer http,
            Duration grace,
            AdminKey.Place adminKey) {
        this.resources = resources;
        this.approvals = approvals;
        this.gate = gate;
        this.http = http;
        this.grace = grace;
        this.adminKey = adminKey;
    }

    /**
     * Starts the server; it accepts requests when this returns.
     *
     * @throws IOException if a resource cannot be used; the message says what to do
     * @throws IllegalArgumentException if a setting is invalid
     */
    public static ToolgateServer start(ServerSettings settings, List<Tool<?>> moreTools) throws IOException {
        return start(settings, moreTools, UnaryOperator.identity());
    }

    /**
     * The same, with a wrapped audit log, for tests and benchmarks.
     *
     * @param recording wraps the audit log
     */
    public static ToolgateServer start(
            ServerSettings settings, List<Tool<?>> moreTools, UnaryOperator<AuditLog> recording) throws IOException {
        Resources resources = new Resources();
        try {
            return start(settings, moreTools, recording, resources);
        } catch (SQLException unusable) {
            resources.close();
            throw new IOException("The database cannot be used: " + unusable.getMessage(), unusable);
        } catch (IOException | RuntimeException failed) {
            resources.close();
            throw failed;
        }
    }

    private static ToolgateServer start(
            ServerSettings settings, List<Tool<?>> moreTools, UnaryOperator<AuditLog> recording, Resources resources)
            throws IOException, SQLException {
        Clock clock = Clock.systemUTC();
        KnownSecrets handedOut = new KnownSecrets();
        Logging.apply(settings.log(), Redaction.ofLogs(settings, handedOut));
        Redactor redactor = Redaction.of(settings, handedOut);
        Secrets secrets = SecretSources.of(settings.secrets(), System.getenv(), handedOut);
        RuntimeSettings runtime = PartSettings.runtime(settings);
        Files.createDirectories(settings.home());
        WorkspaceAccount.createIfMissing(settings.workspace());

        AddressPolicies addresses = AddressPolicies.publicAnd(PartSettings.internalPlaces(settings));
        // Neither needs the database, whose opening takes half of the start-up time.
        AsyncResource<WorkspaceParts> openingWorkspaces = AsyncResource.begin(
                "toolgate-open-workspaces", own -> WorkspaceParts.open(settings, runtime, addresses, own));
        AsyncResource<RemoteParts> openingRemote =
                AsyncResource.begin("toolgate-open-remote", own -> RemoteParts.open(settings, addresses, secrets, own));
        StoreParts store;
        try {
            store = StoreParts.open(settings, recording, clock, resources);
        } finally {
            resources.register(openingWorkspaces);
            resources.register(openingRemote);
        }
        WorkspaceParts workspaces = openingWorkspaces.get();
        RemoteParts remote = openingRemote.get();
        ModelProviders models = remote.models();
        KeptChanges kept = store.artifacts().keptChanges(redactor);
        ToolCatalog catalog = catalog(
                settings,
                Stream.of(
                                workspaces.tools(kept),
                                remote.tools(),
                                RemoteTools.memory(
                                        settings.tools().memory().limits(),
                                        new PostgresMemory(store.database().dataSource()),
                                        kept))
                        .flatMap(List::stream)
                        .toList(),
                moreTools);
        GateParts gate = GateParts.of(
                settings, store, catalog, workspaces.workspaces().pathResolver(), redactor, clock, resources);

        Health health = ServerHealthChecks.of(
                        Release.version(),
                        store.database(),
                        workspaces::confinement,
                        store.audit()::waiting,
                        MAX_WAITING_RECORDS)
                .with("checkpoints", store.checkpoints()::health, HealthCheck.degraded("Not known yet."));
        TlsCertificate tls = ServerCertificate.load(settings, health, clock);
        if (tls != null) {
            resources.register(tls);
        }
        AdminKey.Place adminKey = AdminKey.prepare(
                settings.auth().adminKey() == null
                        ? null
                        : settings.auth().adminKey().value(),
                settings.home(),
                new AdminKeys(store.database().jdbi()),
                clock);
        PublicAddress address = new PublicAddress(settings.http().publicUrl());
        UpstreamParts upstream = UpstreamParts.open(
                settings,
                store.database(),
                catalog,
                runtime,
                addresses,
                secrets,
                handedOut,
                redactor,
                address,
                clock,
                resources);
        ExternalToolParts external = ExternalToolParts.open(store.database(), catalog, resources);
        IdentityParts identity =
                resources.register(IdentityParts.of(settings.auth(), store.database(), address, clock));
        Routes routes = RouteParts.of(
                settings,
                store,
                gate,
                identity,
                catalog,
                upstream,
                external,
                address,
                workspaces.writes(),
                kept,
                models,
                health,
                redactor,
                clock,
                resources);
        AuditKeeping.begin(settings, store, gate.telemetry(), clock, resources);
        HttpServer http = resources.register(HttpServer.start(
                PartSettings.http(settings, tls),
                routes,
                identity.authenticator(),
                gate.metrics()::requestEnded,
                Doors.cors(settings.dialect())));
        address.listening(settings.host(), http.url());
        return new ToolgateServer(
                resources, store.approvals(), gate.gate(), http, settings.http().grace(), adminKey);
    }

    private static ToolCatalog catalog(ServerSettings settings, List<Tool<?>> ours, List<Tool<?>> more) {
        ToolCatalog catalog = new ToolCatalog();
        ours.stream()
                .filter(tool ->
                        !settings.tools().disabled().contains(tool.spec().name()))
                .forEach(catalog::add);
        more.forEach(catalog::add);
        return catalog;
    }

    /** The base URL of the server. */
    public String url() {
        return http.url();
    }

    /** The ports it listens on, the main one first. */
    public List<Integer> ports() {
        return http.ports();
    }

    /** All routes of the server. */
    public Routes routes() {
        return http.routes();
    }

    /** Where the first admin key is. */
    public AdminKey.Place adminKey() {
        return adminKey;
    }

    /** Stops accepting calls, waits for running ones within the grace period, then closes everything. */
    @Override
    public void close() {
        // Concurrently: while running calls end, nothing new is accepted.
        Thread stopping = Thread.ofVirtual().name("toolgate-stop").start(() -> {
            try {
                http.stop(grace.plus(RESPONSE_TIMEOUT));
            } catch (IOException unclean) {
                LOG.warn("The HTTP server did not stop cleanly: {}", unclean.getMessage());
            }
        });
        approvals.leave(); // held calls are left for another server, or withdrawn if they cannot be resumed
        gate.stop(grace);
        try {
            stopping.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        resources.close();
    }
}
