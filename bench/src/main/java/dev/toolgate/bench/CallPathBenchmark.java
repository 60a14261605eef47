package dev.toolgate.bench;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.artifact.InMemoryArtifacts;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
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
import dev.toolgate.core.policy.InMemoryPolicies;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.node.ObjectNode;

/** Calls a no-op tool through all six stages; target: under 10 microseconds. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CallPathBenchmark {
    private final ToolCatalog catalog = new ToolCatalog();
    private final Pipeline pipeline = pipeline(catalog);
    private final ObjectNode arguments = Json.MAPPER.createObjectNode().put("text", "hello");

    /** The whole pipeline. */
    @Benchmark
    public Answer through_all_six_stages() {
        return pipeline.execute(Call.of(Caller.local(), "noop", arguments));
    }

    private static Pipeline pipeline(ToolCatalog catalog) {
        catalog.add(new NoopTool());
        Clock clock = Clock.systemUTC();
        Caller caller = Caller.local();
        InMemoryAuditLog audit = new InMemoryAuditLog(1000);
        Redactor redactor = Redactor.standard();
        GrantRule grants = new GrantRule(new InMemoryGrants().grant(caller.tenant(), caller.agent(), "noop"), clock);
        return new Pipeline(
                null,
                new Admit(new InMemoryPolicies(), Limits.NONE, clock),
                new Bind(catalog, path -> path.startsWith("/")),
                new Decide(List.of(grants, new SessionRule(), new ScopeRule())),
                new Hold(Approvals.NONE, Duration.ofSeconds(30)),
                new Run(grants, audit, redactor, clock),
                new Seal(audit, new InMemoryArtifacts(), redactor, Costs.NONE, 102_400),
                clock);
    }
}
