package dev.toolgate.runtime;

import dev.toolgate.core.approval.InMemoryApprovals;
import dev.toolgate.core.artifact.InMemoryArtifacts;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.ScopeRule;
import dev.toolgate.core.decision.SessionRule;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.pipeline.Admit;
import dev.toolgate.core.pipeline.Bind;
import dev.toolgate.core.pipeline.Decide;
import dev.toolgate.core.pipeline.Hold;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.pipeline.Run;
import dev.toolgate.core.pipeline.Seal;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.InMemoryPolicies;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.tools.file.WriteTracker;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import dev.toolgate.runtime.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs the built-in tools with the real sandbox through the whole pipeline, for calls in sessions. */
public final class SessionGate implements AutoCloseable {
    public static final TenantId TENANT = Caller.local().tenant();
    private static final SessionId SESSION = new SessionId("s1");

    public final Path workspace;
    public final ToolCatalog catalog = new ToolCatalog();
    private final OpenWorkspace open;
    private final InMemoryPolicies policies = new InMemoryPolicies();
    private final Pipeline pipeline;

    public SessionGate(Path folder) throws IOException {
        workspace = Files.createDirectories(folder.resolve("workspace")).toRealPath();
        for (Path closed : List.of(folder, workspace)) {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
        RuntimeSettings settings = RuntimeSettings.of(workspace, folder.resolve("state"));
        open = OpenWorkspace.open(settings.workspaceSettings(AddressPolicy.publicOnly()));
        Workspaces workspaces = Workspaces.single(open);
        BuiltInTools.all(
                        workspaces,
                        new WriteTracker(),
                        AddressPolicies.forAllTenants(AddressPolicy.publicOnly()),
                        settings)
                .forEach(catalog::add);
        InMemoryAuditLog log = new InMemoryAuditLog(100);
        Clock clock = Clock.systemUTC();
        GrantRule grants = new GrantRule(new HostGrants(catalog), clock);
        pipeline = new Pipeline(
                null,
                new Admit(policies, Limits.NONE, clock),
                new Bind(catalog, Platform.current()::isAbsolute),
                new Decide(List.of(grants, new SessionRule(workspaces.pathResolver()), new ScopeRule())),
                new Hold(new InMemoryApprovals(), Duration.ofSeconds(1)),
                new Run(grants, log, Redactor.standard(), clock),
                new Seal(log, new InMemoryArtifacts(), Redactor.standard(), Costs.NONE, 1 << 20),
                clock);
    }

    /** Sets the capabilities of the session. */
    public SessionGate allowing(CapabilityGrant... capabilities) {
        Caller caller = Caller.local();
        policies.put(PolicyBundle.of(
                "1", "1.0", caller.tenant(), "user", SESSION, Instant.now().plusSeconds(600), List.of(capabilities)));
        return this;
    }

    /** A file in the workspace that belongs to its account. */
    public Path file(String path, String content) throws IOException {
        Path file = workspace.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, content);
        for (Path each = file; !each.equals(workspace); each = Objects.requireNonNull(each.getParent())) {
            WorkspaceAccount.changeOwner(each, WorkspaceAccount.of(workspace));
        }
        return file;
    }

    public Call call(String tool, Map<String, ?> arguments) {
        return Call.of(Caller.local().in(SESSION), tool, Json.MAPPER.valueToTree(arguments));
    }

    public Outcome send(Call call) {
        return pipeline.execute(call).asOutcome();
    }

    public Outcome send(String tool, Map<String, ?> arguments) {
        return send(call(tool, arguments));
    }

    /** The output of a call that must complete. */
    public Output completed(String tool, Map<String, ?> arguments) {
        Outcome outcome = send(tool, arguments);
        if (outcome instanceof Outcome.Completed completed) {
            return completed.output();
        }
        throw new AssertionError("It did not complete: " + outcome);
    }

    /** The failure of a call that must be refused before it runs. */
    public Failure refused(String tool, Map<String, ?> arguments) {
        Outcome outcome = send(tool, arguments);
        if (outcome instanceof Outcome.Refused refused) {
            return refused.failure();
        }
        throw new AssertionError("It was not refused: " + outcome);
    }

    /** The failure of a call that must fail while it runs. */
    public Failure failed(String tool, Map<String, ?> arguments) {
        Outcome outcome = send(tool, arguments);
        if (outcome instanceof Outcome.Failed failed) {
            return failed.failure();
        }
        throw new AssertionError("It did not fail: " + outcome);
    }

    @Override
    public void close() {
        open.close();
    }
}
