package dev.toolgate.server.operate;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.artifact.InMemoryArtifacts;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.InMemoryGrants;
import dev.toolgate.core.decision.ScopeRule;
import dev.toolgate.core.decision.SessionRule;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.pipeline.Admit;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.pipeline.Bind;
import dev.toolgate.core.pipeline.Decide;
import dev.toolgate.core.pipeline.Hold;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.pipeline.RepeatedCalls;
import dev.toolgate.core.pipeline.Run;
import dev.toolgate.core.pipeline.Seal;
import dev.toolgate.core.policy.InMemoryPolicies;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.operate.metrics.Metrics;
import dev.toolgate.server.operate.metrics.ToolLabels;
import dev.toolgate.server.operate.trace.CallEvents;
import dev.toolgate.server.operate.trace.CallTracing;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** A gate with one tool, {@code say}, which the caller has been granted. */
public final class TestGate {
    public static final Principal ALICE =
            Principal.of(new TenantId("local"), Role.AGENT, "local", new AgentId("local"));

    public final ToolCatalog catalog = new ToolCatalog();
    public final ToolLabels names = new ToolLabels(catalog);
    public final Metrics metrics = new Metrics(names);
    private final Pipeline pipeline;

    public TestGate(SayTool.Work work) {
        catalog.add(new SayTool(work));
        Clock clock = Clock.systemUTC();
        InMemoryGrants granted = new InMemoryGrants();
        granted.grant(ALICE.tenant(), new AgentId("local"), "say");
        GrantRule grants = new GrantRule(granted, clock);
        InMemoryAuditLog audit = new InMemoryAuditLog(100);
        Redactor redactor = Redactor.standard();
        pipeline = new Pipeline(
                new RepeatedCalls(audit, grants, Duration.ofMillis(10)),
                new Admit(new InMemoryPolicies(), Limits.NONE, clock),
                new Bind(catalog, path -> path.startsWith("/")),
                new Decide(List.of(grants, new SessionRule(), new ScopeRule())),
                new Hold(Approvals.NONE, Duration.ofSeconds(1)),
                new Run(grants, audit, redactor, clock),
                new Seal(audit, new InMemoryArtifacts(), redactor, Costs.NONE, 1000),
                clock);
    }

    public Gate gate(CallTracing tracing) {
        return gate(tracing, CallEvents.NONE);
    }

    public Gate gate(CallTracing tracing, CallEvents events) {
        return new Gate(new Callers(new InMemoryPolicies()), pipeline, metrics, tracing, events);
    }

    public static CallRequest say(String text) {
        return call("say", text);
    }

    public static CallRequest call(String tool, String text) {
        return CallRequest.of(tool, Json.MAPPER.createObjectNode().put("text", text));
    }

    /** The answer to a request of {@link #ALICE}. */
    public static Answer send(Gate gate, CallRequest request) {
        return gate.submit(ALICE, request).answer();
    }
}
