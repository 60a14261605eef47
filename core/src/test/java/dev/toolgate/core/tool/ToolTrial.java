package dev.toolgate.core.tool;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.artifact.InMemoryArtifacts;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.InMemoryGrants;
import dev.toolgate.core.decision.ScopeRule;
import dev.toolgate.core.decision.SessionRule;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.pipeline.Admit;
import dev.toolgate.core.pipeline.Answer;
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
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One tool behind a complete pipeline with in-memory ports. */
public final class ToolTrial {
    private static final int MAX_OUTPUT_BYTES = 100_000;
    private static final SessionId SESSION = new SessionId("trial");

    private final Caller caller;
    private final ToolSpec<?> spec;
    private final AtomicInteger starts = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final InMemoryGrants grants = new InMemoryGrants();
    private final InMemoryPolicies policies = new InMemoryPolicies();
    private final InMemoryAuditLog audit = new InMemoryAuditLog(1000);
    private final Pipeline pipeline;

    /**
     * @param redactor as on a server
     */
    public ToolTrial(Tool<?> tool, Caller caller, Redactor redactor) {
        this.caller = caller;
        this.spec = tool.spec();
        Clock clock = Clock.systemUTC();
        ToolCatalog catalog = new ToolCatalog();
        catalog.add(new Counted<>(tool));
        GrantRule rule = new GrantRule(grants, clock);
        this.pipeline = new Pipeline(
                null,
                new Admit(policies, Limits.NONE, clock),
                new Bind(catalog, path -> Path.of(path).isAbsolute()),
                new Decide(List.of(rule, new SessionRule(), new ScopeRule())),
                new Hold(Approvals.NONE, Duration.ofSeconds(1)),
                new Run(rule, audit, redactor, clock),
                new Seal(audit, new InMemoryArtifacts(), redactor, Costs.NONE, MAX_OUTPUT_BYTES),
                clock);
    }

    /** Grants the tool to the agent. */
    public ToolTrial granted() {
        grants.grant(caller.tenant(), caller.agent(), spec.name());
        return this;
    }

    /** Makes a call. */
    public Answer call(Map<String, ?> arguments) {
        return pipeline.execute(callWith(arguments));
    }

    /** Makes a call with a time limit. */
    public Answer call(Map<String, ?> arguments, Duration atMost) {
        return pipeline.execute(callWith(arguments).within(Bounds.time(atMost)));
    }

    /** Makes a cancellable call. */
    public Answer call(Map<String, ?> arguments, Cancellation cancellation) {
        return pipeline.execute(callWith(arguments).followedBy(CallListener.NONE, cancellation));
    }

    /** Makes a call in a session with only this capability. */
    public Answer callInSession(Map<String, ?> arguments, CapabilityGrant capability) {
        policies.put(PolicyBundle.of(
                "1",
                PolicyBundle.SCHEMA_VERSION,
                caller.tenant(),
                "user",
                SESSION,
                Instant.now().plusSeconds(600),
                List.of(capability)));
        Call call = callWith(arguments);
        return pipeline.execute(Call.of(caller.in(SESSION), call.toolName(), call.arguments()));
    }

    private Call callWith(Map<String, ?> arguments) {
        return Call.of(caller, spec.name(), Json.MAPPER.valueToTree(arguments));
    }

    /** How often the tool was called. */
    public int starts() {
        return starts.get();
    }

    /** Waits for the first call of the tool. */
    public void awaitStart(Duration timeout) throws InterruptedException {
        if (!begun.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("The tool was not called.");
        }
    }

    /** The audit log. */
    public InMemoryAuditLog audit() {
        return audit;
    }

    private final class Counted<A> implements Tool<A> {
        private final Tool<A> tool;

        Counted(Tool<A> tool) {
            this.tool = tool;
        }

        @Override
        public ToolSpec<A> spec() {
            return tool.spec();
        }

        @Override
        public Output call(A arguments, ToolContext context) throws ToolFailure, InterruptedException {
            starts.incrementAndGet();
            begun.countDown();
            return tool.call(arguments, context);
        }
    }
}
