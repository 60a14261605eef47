package dev.toolgate.server.wiring;

import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.PathResolver;
import dev.toolgate.core.decision.Rule;
import dev.toolgate.core.decision.ScopeRule;
import dev.toolgate.core.decision.SessionRule;
import dev.toolgate.core.decision.TrustRule;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.pipeline.Admit;
import dev.toolgate.core.pipeline.Bind;
import dev.toolgate.core.pipeline.Decide;
import dev.toolgate.core.pipeline.Hold;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.core.pipeline.RepeatedCalls;
import dev.toolgate.core.pipeline.Run;
import dev.toolgate.core.pipeline.Seal;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.HeldCallRunner;
import dev.toolgate.server.limit.RateLimits;
import dev.toolgate.server.operate.metrics.Metrics;
import dev.toolgate.server.operate.metrics.PoolGauges;
import dev.toolgate.server.operate.metrics.ToolLabels;
import dev.toolgate.server.operate.trace.CallEvents;
import dev.toolgate.server.operate.trace.CallTracing;
import dev.toolgate.server.operate.trace.OpenTelemetryParts;
import dev.toolgate.server.operate.trace.Telemetry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Wires the gate: the pipeline, metrics and traces.
 *
 * @param rules the rules of the gate, with any grants
 */
record GateParts(
        Gate gate, Metrics metrics, Optional<OpenTelemetryParts> telemetry, Function<GrantRule, List<Rule>> rules) {
    private static final Duration WAIT_FOR_FIRST_CALL = Duration.ofSeconds(30);
    private static final int MAX_OUTPUT_BYTES = 2 * 1024 * 1024;

    static GateParts of(
            ServerSettings settings,
            StoreParts store,
            ToolCatalog catalog,
            PathResolver pathResolver,
            Redactor redactor,
            Clock clock,
            Resources resources)
            throws IOException {
        ToolLabels labels = new ToolLabels(catalog);
        Metrics metrics = resources.register(new Metrics(labels));
        PoolGauges.watch(store.database().dataSource(), metrics);
        metrics.watch("toolgate.approvals.open", "Calls that wait for an approval", Map.of(), store.approvals()::open);
        store.checkpoints().watch(metrics);
        Optional<OpenTelemetryParts> telemetry = Telemetry.open(System.getenv());
        telemetry.ifPresent(resources::register);
        Gate gate = new Gate(
                new Callers(store.policies()),
                pipeline(settings, store, catalog, pathResolver, redactor, clock),
                metrics,
                telemetry
                        .map(open -> open.calls(settings.telemetry(), labels, redactor))
                        .orElse(CallTracing.NONE),
                telemetry.flatMap(open -> open.callEvents(labels)).orElse(CallEvents.NONE));
        store.approvals().resumeWith(new HeldCallRunner(gate));
        return new GateParts(gate, metrics, telemetry, grants -> rules(grants, pathResolver));
    }

    private static List<Rule> rules(GrantRule grants, PathResolver pathResolver) {
        return List.of(grants, new SessionRule(pathResolver), new ScopeRule(), new TrustRule());
    }

    private static Pipeline pipeline(
            ServerSettings settings,
            StoreParts store,
            ToolCatalog catalog,
            PathResolver pathResolver,
            Redactor redactor,
            Clock clock)
            throws IOException {
        KeyedDigest digest = DigestKey.of(settings.audit().digestKey(), settings.home());
        GrantRule grants = new GrantRule(store.grants(), clock);
        return new Pipeline(
                new RepeatedCalls(store.requestKeys(), grants, WAIT_FOR_FIRST_CALL),
                new Admit(
                        store.policies(),
                        RateLimits.of(
                                PartSettings.limits(settings.limits()),
                                catalog,
                                store.database().dataSource()),
                        PartSettings.refused(settings.limits().refused()),
                        clock),
                new Bind(
                        catalog,
                        Platform.current()::isAbsolute,
                        settings.tools().external().unregistered()),
                new Decide(rules(grants, pathResolver)),
                new Hold(
                        store.approvals(),
                        settings.approvals()::termsOf,
                        settings.approvals().timeout(),
                        settings.approvals().expireAfter(),
                        settings.dialect().mcp().holdFor(),
                        redactor),
                new Run(grants, store.records(), redactor, digest, clock),
                new Seal(
                        store.records(),
                        store.artifacts().store(),
                        redactor,
                        digest,
                        tool -> Optional.ofNullable(settings.costs().get(tool)),
                        MAX_OUTPUT_BYTES),
                clock);
    }
}
