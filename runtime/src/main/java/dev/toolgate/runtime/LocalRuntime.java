package dev.toolgate.runtime;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.PathResolver;
import dev.toolgate.core.decision.ScopeRule;
import dev.toolgate.core.decision.SessionRule;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.pipeline.Admit;
import dev.toolgate.core.pipeline.Bind;
import dev.toolgate.core.pipeline.Decide;
import dev.toolgate.core.pipeline.Hold;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.pipeline.Run;
import dev.toolgate.core.pipeline.Seal;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.output.DiskArtifacts;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.tools.file.WriteTracker;
import dev.toolgate.runtime.upstream.HostUpstreams;
import dev.toolgate.runtime.upstream.UpstreamConnectors;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import dev.toolgate.runtime.workspace.Workspaces;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The runtime for an embedding program: one workspace with its tools, router and in-memory audit log. */
public final class LocalRuntime implements AutoCloseable {
    // Upper bound for every tool; tools with unbounded output have smaller limits of their own.
    private static final int MAX_OUTPUT_BYTES = 2 * 1024 * 1024;
    private static final int REMEMBERED_CALLS = 10_000;
    private static final Duration APPROVAL_TIMEOUT = Duration.ofSeconds(30);

    private final ToolCatalog catalog;
    private final ToolRouter router;
    private final OpenWorkspace workspace;
    private final WriteTracker writes;
    private final InMemoryAuditLog audit;
    private final HostUpstreams upstreams;

    private LocalRuntime(
            ToolCatalog catalog,
            ToolRouter router,
            OpenWorkspace workspace,
            WriteTracker writes,
            InMemoryAuditLog audit,
            HostUpstreams upstreams) {
        this.catalog = catalog;
        this.router = router;
        this.workspace = workspace;
        this.writes = writes;
        this.audit = audit;
        this.upstreams = upstreams;
    }

    /**
     * Opens a workspace with the built-in tools.
     *
     * @throws IOException if the workspace or the state folder cannot be used
     */
    public static LocalRuntime open(RuntimeSettings settings) throws IOException {
        AddressPolicy addresses = AddressPolicy.publicAnd(settings.internalAddresses());
        OpenWorkspace workspace = OpenWorkspace.open(settings.workspaceSettings(addresses));
        Workspaces workspaces = Workspaces.single(workspace);
        WriteTracker writes = new WriteTracker();
        ToolCatalog catalog = new ToolCatalog();
        BuiltInTools.all(workspaces, writes, AddressPolicies.forAllTenants(addresses), settings)
                .forEach(catalog::add);
        InMemoryAuditLog audit = new InMemoryAuditLog(REMEMBERED_CALLS);
        ArtifactStore artifacts = DiskArtifacts.in(settings.stateFolder().resolve("artifacts"));
        Pipeline pipeline = pipeline(catalog, workspaces.pathResolver(), audit, artifacts);
        HostUpstreams upstreams = upstreams(settings, addresses, catalog);
        ToolRouter router = new ToolRouter(catalog, pipeline, upstreams);
        return new LocalRuntime(catalog, router, workspace, writes, audit, upstreams);
    }

    private static HostUpstreams upstreams(RuntimeSettings settings, AddressPolicy addresses, ToolCatalog catalog) {
        return new HostUpstreams(
                UpstreamConnectors.of(
                        addresses,
                        settings.stateFolder().resolve("mcp"),
                        settings.sandboxMode(),
                        settings.sandbox(),
                        settings.environment()::variables),
                (server, tools) -> catalog.replace(TenantId.LOCAL, "mcp:" + server, tools));
    }

    private static Pipeline pipeline(
            ToolCatalog catalog, PathResolver pathResolver, InMemoryAuditLog audit, ArtifactStore artifacts) {
        Clock clock = Clock.systemUTC();
        Redactor redactor = Redactor.standard();
        GrantRule grants = new GrantRule(new HostGrants(catalog), clock);
        return new Pipeline(
                null,
                new Admit(new HostSessions(catalog), Limits.NONE, clock),
                new Bind(catalog, Platform.current()::isAbsolute),
                new Decide(List.of(grants, new SessionRule(pathResolver), new ScopeRule())),
                new Hold(Approvals.NONE, APPROVAL_TIMEOUT),
                new Run(grants, audit, redactor, clock),
                new Seal(audit, artifacts, redactor, Costs.NONE, MAX_OUTPUT_BYTES),
                clock);
    }

    /** Executes tool calls. */
    public ToolRouter router() {
        return router;
    }

    /**
     * The tool with this name or alias.
     *
     * @throws IllegalArgumentException if there is none; the message lists the known names
     */
    public Tool<?> find(String name) {
        return catalog.find(TenantId.LOCAL, name)
                .orElseThrow(() -> new IllegalArgumentException("There is no tool '" + name + "'; there are "
                        + String.join(
                                ", ",
                                tools().stream().map(tool -> tool.spec().name()).toList())));
    }

    /** All registered tools, sorted by name. */
    public List<Tool<?>> tools() {
        return catalog.all(TenantId.LOCAL);
    }

    /** The sandbox for commands; the first use tests it, which takes a moment. */
    public CommandSandbox sandbox() {
        return workspace.sandbox();
    }

    /** For the host's own tools that access files or run commands. */
    public Workspaces workspaces() {
        return Workspaces.single(workspace);
    }

    /** The changes made by file tools, for a patch preview. */
    public WriteTracker writes() {
        return writes;
    }

    /** The MCP servers registered with the router. */
    public HostUpstreams upstreams() {
        return upstreams;
    }

    /** The most recent calls, including refused ones. */
    public InMemoryAuditLog audit() {
        return audit;
    }

    @Override
    public void close() {
        upstreams.close();
        workspace.close();
    }
}
