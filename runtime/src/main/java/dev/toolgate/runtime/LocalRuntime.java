package dev.toolgate.runtime;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.Places;
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
import dev.toolgate.runtime.workspace.OpenWorkspace;
import dev.toolgate.runtime.workspace.Workspaces;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Everything an embedding program needs for one workspace, wired. */
public final class LocalRuntime implements AutoCloseable {
    // A last bound for any tool; those that can print without end have smaller ones of their own.
    private static final int MOST_OUTPUT_BYTES = 2 * 1024 * 1024;
    private static final int REMEMBERED_CALLS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ToolCatalog catalog;
    private final ToolRouter router;
    private final OpenWorkspace workspace;
    private final WriteTracker writes;
    private final InMemoryAuditLog audit;

    private LocalRuntime(
            ToolCatalog catalog,
            ToolRouter router,
            OpenWorkspace workspace,
            WriteTracker writes,
            InMemoryAuditLog audit) {
        this.catalog = catalog;
        this.router = router;
        this.workspace = workspace;
        this.writes = writes;
        this.audit = audit;
    }

    /**
     * Opens a workspace and makes the built-in tools ready for it.
     *
     * @throws IOException if the workspace or the state folder cannot be used, in one sentence
     */
    public static LocalRuntime open(RuntimeSettings settings) throws IOException {
        AddressPolicy addresses = AddressPolicy.publicAnd(settings.internalPlaces());
        OpenWorkspace workspace = OpenWorkspace.open(settings.workspaceReaching(addresses));
        Workspaces workspaces = Workspaces.only(workspace);
        WriteTracker writes = new WriteTracker();
        ToolCatalog catalog = new ToolCatalog();
        BuiltInTools.all(workspaces, writes, AddressPolicies.same(addresses), settings)
                .forEach(catalog::add);
        InMemoryAuditLog audit = new InMemoryAuditLog(REMEMBERED_CALLS);
        ArtifactStore artifacts = DiskArtifacts.in(settings.stateFolder().resolve("artifacts"));
        Pipeline pipeline = pipeline(catalog, workspaces.places(), audit, artifacts);
        return new LocalRuntime(catalog, new ToolRouter(catalog, pipeline), workspace, writes, audit);
    }

    private static Pipeline pipeline(
            ToolCatalog catalog, Places places, InMemoryAuditLog audit, ArtifactStore artifacts) {
        Clock clock = Clock.systemUTC();
        Redactor redactor = Redactor.standard();
        GrantRule grants = new GrantRule(new HostDecides(catalog), clock);
        return new Pipeline(
                null,
                new Admit(new HostSessions(catalog), Limits.NONE, clock),
                new Bind(catalog, Platform.current()::isAbsolute),
                new Decide(List.of(grants, new SessionRule(places), new ScopeRule())),
                new Hold(Approvals.NOBODY, PATIENCE),
                new Run(grants, audit, redactor, clock),
                new Seal(audit, artifacts, redactor, Costs.NONE, MOST_OUTPUT_BYTES),
                clock);
    }

    /** The door for calls. */
    public ToolRouter router() {
        return router;
    }

    /**
     * The tool with this name or alias.
     *
     * @throws IllegalArgumentException if there is none, naming those there are
     */
    public Tool<?> find(String name) {
        return catalog.find(name)
                .orElseThrow(() -> new IllegalArgumentException("There is no tool '" + name + "'; there are "
                        + String.join(
                                ", ",
                                catalog.all().stream()
                                        .map(tool -> tool.spec().name())
                                        .toList())));
    }

    /** Every tool there is. */
    public ToolCatalog catalog() {
        return catalog;
    }

    /** What confines commands here; finding out may take a moment the first time. */
    public CommandSandbox sandbox() {
        return workspace.sandbox();
    }

    /** For tools of the host's own that work with files or run commands. */
    public Workspaces workspaces() {
        return Workspaces.only(workspace);
    }

    /** What the file tools have changed, for a patch preview. */
    public WriteTracker writes() {
        return writes;
    }

    /** The newest calls, allowed or not. */
    public InMemoryAuditLog audit() {
        return audit;
    }

    @Override
    public void close() {
        workspace.close();
    }
}
