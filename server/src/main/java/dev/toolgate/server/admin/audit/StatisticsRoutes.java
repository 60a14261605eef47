package dev.toolgate.server.admin.audit;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.request.Query;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.rollup.AuditFacet;
import dev.toolgate.store.audit.rollup.AuditHistogram;
import dev.toolgate.store.audit.rollup.AuditStatistics;
import dev.toolgate.store.audit.rollup.StatisticsQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Routes that count audit records: by time, and by the values of their columns. */
public final class StatisticsRoutes {
    private static final Duration DEFAULT_PERIOD = Duration.ofDays(1);
    private static final Duration SHORT_PERIOD = Duration.ofHours(3);
    private static final Duration LONG_PERIOD = Duration.ofDays(7);
    private static final int MAX_BUCKETS = 2_000;
    private static final int DEFAULT_VALUES = 10;
    private static final int MAX_VALUES = 100;
    private static final String INTERVAL = "interval";

    private final AuditStatistics statistics;
    private final InstantSource clock;

    public StatisticsRoutes(AuditStatistics statistics, InstantSource clock) {
        this.statistics = statistics;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        RouteAccess readers = RouteAccess.needs(Right.READ_AGENT_AUDIT);
        return List.of(
                Route.get("/api/v1/audit/histogram", readers, Dialect.STANDARD, this::histogram)
                        .withQuery(AuditRoutes.filtersAnd(INTERVAL)),
                Route.get("/api/v1/audit/facets", readers, Dialect.STANDARD, this::facets)
                        .withQuery(AuditRoutes.filtersAnd("limit")));
    }

    private Response histogram(Exchange exchange) {
        Period period = period(exchange.query());
        StatisticsQuery query = query(exchange, period, unit(exchange.query(), period));
        if (query.units() > MAX_BUCKETS) {
            throw HttpFailure.conflict("The query parameters ask for " + query.units() + " intervals, and at most "
                    + MAX_BUCKETS + " are counted; choose a longer 'interval' or a shorter time.");
        }
        AuditHistogram histogram = statistics.histogram(query);
        ObjectNode body = counted(query, histogram.approximate());
        body.put(INTERVAL, name(query.unit()));
        ArrayNode buckets = body.putArray("buckets");
        histogram.buckets().forEach((time, counts) -> {
            ObjectNode bucket = buckets.addObject().put("time", time.toString());
            for (AuditLog.Status status : AuditLog.Status.values()) {
                bucket.put(status.name().toLowerCase(Locale.ROOT), counts.getOrDefault(status, 0L));
            }
        });
        return Response.json(body);
    }

    private Response facets(Exchange exchange) {
        int limit = exchange.query().number("limit", 1, MAX_VALUES).orElse(DEFAULT_VALUES);
        Period period = period(exchange.query());
        boolean isLong = Duration.between(period.from, period.until).compareTo(LONG_PERIOD) > 0;
        StatisticsQuery query = query(exchange, period, isLong ? ChronoUnit.DAYS : ChronoUnit.HOURS);
        List<AuditFacet> found = statistics.facets(query, limit);
        ObjectNode body = counted(query, found.stream().anyMatch(AuditFacet::approximate));
        ObjectNode facets = body.putObject("facets");
        for (AuditFacet facet : found) {
            ObjectNode node = facets.putObject(facet.column().columnName()).put("more", facet.isCut());
            ArrayNode values = node.putArray("values");
            facet.values()
                    .forEach(count ->
                            values.addObject().put("value", count.value()).put("records", count.records()));
        }
        return Response.json(body);
    }

    private static ObjectNode counted(StatisticsQuery query, boolean approximate) {
        return Json.MAPPER
                .createObjectNode()
                .put("start_date", query.from().toString())
                .put("end_date", query.until().toString())
                .put("approximate", approximate);
    }

    private record Period(Instant from, Instant until) {}

    private Period period(Query query) {
        Instant until = query.time("end_date").orElseGet(clock::instant);
        Instant from = query.time("start_date").orElseGet(() -> until.minus(DEFAULT_PERIOD));
        return new Period(from, until);
    }

    private static StatisticsQuery query(Exchange exchange, Period period, ChronoUnit unit) {
        AuditFilter filter = AuditQueryParameters.filter(exchange);
        return StatisticsQuery.of(filter, AuditQueryParameters.scope(exchange), period.from, period.until, unit);
    }

    private static ChronoUnit unit(Query query, Period period) {
        return query.text(INTERVAL)
                .map(wanted -> switch (wanted) {
                    case "minute" -> ChronoUnit.MINUTES;
                    case "hour" -> ChronoUnit.HOURS;
                    case "day" -> ChronoUnit.DAYS;
                    default -> throw new BadRequest("The query parameter 'interval' must be minute, hour or day.");
                })
                .orElseGet(() -> suitable(Duration.between(period.from, period.until)));
    }

    private static ChronoUnit suitable(Duration period) {
        if (period.compareTo(SHORT_PERIOD) <= 0) {
            return ChronoUnit.MINUTES;
        }
        return period.compareTo(LONG_PERIOD) <= 0 ? ChronoUnit.HOURS : ChronoUnit.DAYS;
    }

    private static String name(ChronoUnit unit) {
        return unit == ChronoUnit.MINUTES ? "minute" : unit == ChronoUnit.HOURS ? "hour" : "day";
    }
}
