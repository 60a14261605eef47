package dev.toolgate.server.admin.audit;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.undo.RecordedChanges;
import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.audit.export.AuditExport;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditPage;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.query.CostSum;
import dev.toolgate.store.audit.query.QueryTooExpensive;
import dev.toolgate.store.audit.record.AuditCsv;
import dev.toolgate.store.audit.record.AuditJsonLines;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditRecordJson;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Routes to read the audit log: pages, export, cost sums, checkpoints and verification. */
public final class AuditRoutes {
    private static final int DEFAULT_PAGE = 100;
    private static final int MAX_PAGE = 1000;
    private static final Duration DEFAULT_PERIOD = Duration.ofDays(30);
    private static final String CSV = "text/csv; charset=utf-8; header=present";
    private static final String JSON_LINES = "application/jsonl; charset=utf-8";

    private final AuditQueries queries;
    private final CheckpointView checkpoints;
    private final RecordedChanges changes;
    private final Clock clock;

    public AuditRoutes(AuditQueries queries, CheckpointView checkpoints, RecordedChanges changes, Clock clock) {
        this.queries = queries;
        this.changes = changes;
        this.checkpoints = checkpoints;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                get("/api/v1/audit/logs", Right.READ_AGENT_AUDIT, this::page)
                        .withQuery(filtersAnd("limit", "page", AuditQueryParameters.ORDER)),
                get("/api/v1/audit/logs/{record_id}", Right.READ_AGENT_AUDIT, this::record),
                get("/api/v1/audit/export", Right.READ_AUDIT, this::export).withQuery(filtersAnd("format")),
                get("/api/v1/audit/costs", Right.READ_AUDIT, this::costs)
                        .withQuery("group_by", "start_date", "end_date"),
                get("/api/v1/audit/chains", Right.READ_WHOLE_AUDIT, this::chains),
                get("/api/v1/audit/checkpoints", Right.READ_WHOLE_AUDIT, this::checkpoints),
                get("/api/v1/audit/verify", Right.READ_WHOLE_AUDIT, this::verify));
    }

    private static Route get(String path, Right right, dev.toolgate.http.routing.Handler handler) {
        return Route.get(path, RouteAccess.needs(right), Dialect.STANDARD, handler);
    }

    static String[] filtersAnd(String... more) {
        List<String> names = new ArrayList<>(AuditQueryParameters.FILTERS);
        names.addAll(List.of(more));
        return names.toArray(String[]::new);
    }

    private Response page(Exchange exchange) {
        int limit = exchange.query().number("limit", 1, MAX_PAGE).orElse(DEFAULT_PAGE);
        AuditPage page = rejectingExpensive(() -> queries.page(
                AuditQueryParameters.filter(exchange),
                AuditQueryParameters.reading(exchange),
                AuditQueryParameters.position(exchange.query()),
                limit));
        ArrayNode records = Json.MAPPER.createArrayNode();
        page.records().forEach(found -> records.add(AuditRecordJson.write(found)));
        return new Response.Json(
                200,
                records,
                page.next() == null
                        ? Map.of()
                        : Map.of("Link", AuditQueryParameters.next(exchange, limit, page.next())));
    }

    private Response record(Exchange exchange) {
        return queries.find(
                        exchange.principal().tenant(),
                        AuditQueryParameters.scope(exchange),
                        id(exchange.path("record_id")))
                .map(found -> Response.json(withUndo(found)))
                .orElseThrow(() -> HttpFailure.notFound(
                        "There is no audit record with this id that you may see; list them with /api/v1/audit/logs."));
    }

    private ObjectNode withUndo(AuditRecord found) {
        ObjectNode node = AuditRecordJson.write(found);
        ObjectNode undo = node.putObject("undo");
        switch (changes.of(found)) {
            case RecordedChanges.Undoable _ -> undo.put("undoable", true);
            case RecordedChanges.NotUndoable(String reason) ->
                undo.put("undoable", false).put("reason", reason);
        }
        ArrayNode undoneBy = undo.putArray("undone_by");
        queries.undoneBy(new TenantId(found.call().tenantId()), found.id()).forEach(undoneBy::add);
        return node;
    }

    // No record has the id 0, so a malformed id is not found.
    private static long id(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    private Response export(Exchange exchange) {
        AuditFilter filter = AuditQueryParameters.filter(exchange);
        String format = exchange.query().text("format").orElse("jsonl");
        return switch (format) {
            case "csv" ->
                file(CSV, "audit.csv", out -> {
                    AuditCsv csv = new AuditCsv(out);
                    queries.export(filter, csv);
                    csv.flush();
                });
            case "jsonl" ->
                file(JSON_LINES, "audit.jsonl", out -> {
                    AuditJsonLines lines = new AuditJsonLines(out);
                    queries.export(filter, lines);
                    lines.flush();
                });
            default -> throw new BadRequest("The query parameter 'format' must be csv or jsonl.");
        };
    }

    private Response chains(Exchange exchange) {
        return file(JSON_LINES, "audit-chains.jsonl", out -> new AuditExport(queries, clock)
                .write(out, AuditExport.Form.PLAIN));
    }

    private static Response file(String mediaType, String name, Response.Content content) {
        return new Response.Stream(
                200, mediaType, Map.of("Content-Disposition", "attachment; filename=\"" + name + "\""), content);
    }

    private Response verify(Exchange exchange) throws IOException {
        KnownCheckpoints known =
                checkpoints.known(); // read before the log, so that the log contains every record they cover
        AuditChain.Report report = queries.verify(known);
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("intact", report.isWhole()).put("records", report.records()).put("checkpoints", report.checkpoints());
        ArrayNode faults = body.putArray("faults");
        report.faults().forEach(fault -> faults.addObject()
                .put("kind", fault.kind().name().toLowerCase(Locale.ROOT))
                .put("instance_id", fault.instanceId().toString())
                .put("sequence", fault.sequence()));
        return Response.json(body);
    }

    private Response checkpoints(Exchange exchange) throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode();
        ArrayNode keys = body.putArray("keys");
        checkpoints.keys().forEach(key -> keys.add(key.toString()));
        ArrayNode notes = body.putArray("notes");
        checkpoints.newest().forEach(newest -> notes.add(newest.note()));
        ArrayNode places = body.putArray("places");
        checkpoints.places().forEach(place -> {
            ObjectNode node = places.addObject().put("place", place.store());
            node.put(
                    "last_kept",
                    place.lastSaved() == null ? null : place.lastSaved().toString());
            node.put("failure", place.failure());
        });
        return Response.json(body);
    }

    private Response costs(Exchange exchange) {
        Instant until = exchange.query().time("end_date").orElseGet(clock::instant);
        Instant from = exchange.query().time("start_date").orElseGet(() -> until.minus(DEFAULT_PERIOD));
        CostSum.By by =
                switch (exchange.query().text("group_by").orElse("agent")) {
                    case "agent" -> CostSum.By.AGENT;
                    case "tool" -> CostSum.By.TOOL;
                    case "day" -> CostSum.By.DAY;
                    default -> throw new BadRequest("The query parameter 'group_by' must be agent, tool or day.");
                };
        List<CostSum> sums =
                rejectingExpensive(() -> queries.costs(exchange.principal().tenant(), from, until, by));
        return Response.json(new CostAnswer(from, until, sums));
    }

    private record CostAnswer(Instant startDate, Instant endDate, List<CostSum> costs) {}

    private interface AuditQuery<T> {
        T run();
    }

    private static <T> T rejectingExpensive(AuditQuery<T> query) {
        try {
            return query.run();
        } catch (QueryTooExpensive tooExpensive) {
            throw new BadRequest(String.valueOf(tooExpensive.getMessage()));
        }
    }
}
