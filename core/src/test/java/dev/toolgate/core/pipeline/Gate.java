package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.InMemoryApprovals;
import dev.toolgate.core.artifact.InMemoryArtifacts;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.InMemoryGrants;
import dev.toolgate.core.decision.Rule;
import dev.toolgate.core.decision.ScopeRule;
import dev.toolgate.core.decision.SessionRule;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.limit.RefusedCalls;
import dev.toolgate.core.policy.InMemoryPolicies;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** A complete pipeline on in-memory ports. */
final class Gate {
    static final Caller ALICE = Caller.local();

    final ToolCatalog catalog = new ToolCatalog();
    final InMemoryGrants grants = new InMemoryGrants();
    final InMemoryPolicies policies = new InMemoryPolicies();
    final InMemoryAuditLog audit = new InMemoryAuditLog(1000);
    final InMemoryApprovals approvals = new InMemoryApprovals(Clock.systemUTC(), audit);
    Approvals asking = approvals;
    InMemoryArtifacts artifacts = new InMemoryArtifacts();
    final List<Rule> rules = new ArrayList<>();
    AuditLog auditLog = audit;
    Limits limits = Limits.NONE;
    RefusedCalls refusedCalls = RefusedCalls.UNCOUNTED;
    Costs costs = Costs.NONE;
    Duration timeout = Duration.ofSeconds(30);
    Redactor redactor = Redactor.standard();
    final KeyedDigest digest = new KeyedDigest(new byte[KeyedDigest.KEY_BYTES]);

    Gate with(Tool<?> tool) {
        catalog.add(tool);
        return this;
    }

    Gate granting(String tool) {
        grants.grant(ALICE.tenant(), ALICE.agent(), tool);
        return this;
    }

    Answer send(String tool, Map<String, ?> arguments) {
        return send(call(tool, arguments));
    }

    Answer send(Call call) {
        return pipeline().execute(call);
    }

    Pipeline pipeline() {
        Clock clock = Clock.systemUTC();
        GrantRule grantRule = new GrantRule(grants, clock);
        List<Rule> all = new ArrayList<>(List.of(grantRule, new SessionRule(), new ScopeRule()));
        all.addAll(rules);
        return new Pipeline(
                new RepeatedCalls(audit, grantRule, timeout),
                new Admit(policies, limits, refusedCalls, clock),
                new Bind(catalog, path -> path.startsWith("/")),
                new Decide(all),
                new Hold(asking, _ -> ApprovalTerms.ONE_YES, timeout, Duration.ofHours(1), timeout, redactor),
                new Run(grantRule, auditLog, redactor, digest, clock),
                new Seal(auditLog, artifacts, redactor, digest, costs, 1000),
                clock);
    }

    static Call call(String tool, Map<String, ?> arguments) {
        ObjectNode json = Json.MAPPER.valueToTree(arguments);
        return Call.of(ALICE, tool, json);
    }
}
