package dev.toolgate.server.operate;

import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.operate.health.Health;
import dev.toolgate.server.operate.health.HealthReport;
import dev.toolgate.server.operate.metrics.Metrics;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Routes for operators: health and metrics. */
public final class OperationRoutes {
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final int READY = 200;
    private static final int NOT_READY = 503;

    private final Health health;
    private final Metrics metrics;
    private final InstantSource clock;

    public OperationRoutes(Health health, Metrics metrics, InstantSource clock) {
        this.health = health;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get("/health", RouteAccess.open(), Dialect.STANDARD, this::asToolBackend),
                Route.get("/health/live", RouteAccess.open(), Dialect.STANDARD, this::alive),
                Route.get("/health/ready", RouteAccess.open(), Dialect.STANDARD, this::ready),
                // They count calls of all tenants.
                Route.get("/metrics", RouteAccess.needs(Right.READ_WHOLE_AUDIT), Dialect.STANDARD, this::metrics));
    }

    private Response alive(Exchange exchange) {
        return answer(health.alive());
    }

    private Response ready(Exchange exchange) {
        return answer(health.report());
    }

    /** The same, with the service name that front ends expect. */
    private Response asToolBackend(Exchange exchange) {
        HealthReport report = health.report();
        return answer(report, report.json(clock.instant()).put("service", "tool-backend"));
    }

    private Response answer(HealthReport report) {
        return answer(report, report.json(clock.instant()));
    }

    private Response answer(HealthReport report, ObjectNode json) {
        return Response.json(report.isReady() ? READY : NOT_READY, json);
    }

    private Response metrics(Exchange exchange) {
        return new Response.Bytes(200, PROMETHEUS_TEXT, metrics.scrape().getBytes(StandardCharsets.UTF_8), Map.of());
    }
}
