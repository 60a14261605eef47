package dev.toolgate.server.admin.external;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ExternalTool;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.Authors;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.external.ExternalTools;
import dev.toolgate.store.external.ExternalDefinition;
import dev.toolgate.store.external.ExternalToolTable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Routes to register tools that their callers run themselves. */
public final class ExternalToolRoutes {
    private static final String ALL = "/api/v1/tools/external";
    private static final String ONE = ALL + "/{external_tool}";
    private static final String WHAT = "external_tools";

    private final JsonRecord<Wanted> wanted = JsonRecord.of(Wanted.class);
    private final ExternalToolTable table;
    private final ExternalTools tools;
    private final Administration administration;

    public ExternalToolRoutes(ExternalToolTable table, ExternalTools tools, Administration administration) {
        this.table = table;
        this.tools = tools;
        this.administration = administration;
    }

    /** The routes. */
    public List<Route> all() {
        RouteAccess read = RouteAccess.needs(Right.READ_PERMISSIONS);
        RouteAccess change = RouteAccess.needs(Right.CHANGE_PERMISSIONS);
        return List.of(
                Route.get(ALL, read, Dialect.STANDARD, this::list),
                Route.get(ONE, read, Dialect.STANDARD, this::show),
                Route.put(ONE, change, Dialect.STANDARD, administration.handler(WHAT, "register", this::put)),
                Route.delete(ONE, change, Dialect.STANDARD, administration.handler(WHAT, "delete", this::remove))
                        .withQuery(Authors.REASON));
    }

    private Response list(Exchange exchange) {
        return Response.json(
                table.all(tenant(exchange)).stream().map(Registered::of).toList());
    }

    private Response show(Exchange exchange) {
        return Response.json(Registered.of(find(exchange)));
    }

    private Response put(Exchange exchange, Change change) {
        Wanted sent = exchange.json(wanted);
        String name = exchange.path("external_tool");
        ExternalDefinition tool = FailureMapping.unknownAsConflict(() -> new ExternalDefinition(
                name,
                sent.description(),
                sent.inputSchema(),
                Objects.requireNonNullElse(sent.capability(), ExternalTool.DEFAULT_CAPABILITY),
                danger(sent.danger())));
        if (tools.isBuiltIn(name)) {
            throw HttpFailure.conflict(
                    "'" + name + "' is a tool of the gate; register the external one under another" + " name.");
        }
        TenantId tenant = tenant(exchange);
        ExternalDefinition before = table.find(tenant, name).orElse(null);
        change.because(Authors.of(exchange, sent.reason()).reason());
        change.begin(before == null ? null : Registered.of(before));
        boolean _ = FailureMapping.unknownAsConflict(() -> {
            table.put(tenant, tool, exchange.principal().name());
            return true;
        });
        tools.reload(tenant);
        Registered registered = Registered.of(tool);
        change.changedTo(registered);
        return Response.json(before == null ? 201 : 200, registered);
    }

    private Response remove(Exchange exchange, Change change) {
        ExternalDefinition before = find(exchange);
        TenantId tenant = tenant(exchange);
        change.because(Authors.of(exchange).reason());
        change.begin(Registered.of(before));
        if (!table.remove(tenant, before.name())) {
            throw unknown(before.name());
        }
        tools.reload(tenant);
        return Response.empty();
    }

    private ExternalDefinition find(Exchange exchange) {
        String name = exchange.path("external_tool");
        if (!ExternalDefinition.isName(name)) {
            throw unknown(name);
        }
        return table.find(tenant(exchange), name).orElseThrow(() -> unknown(name));
    }

    private static HttpFailure unknown(String name) {
        return HttpFailure.notFound("There is no external tool '" + name + "'.");
    }

    // Dangerous unless declared safe.
    private static Danger danger(@Nullable String name) {
        if (name == null || name.equals(Danger.DANGEROUS.wireName())) {
            return Danger.DANGEROUS;
        }
        if (name.equals(Danger.SAFE.wireName())) {
            return Danger.SAFE;
        }
        throw new BadRequest("Field 'danger' must be 'safe' or 'dangerous'.");
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }

    private record Wanted(
            String description,
            ObjectNode inputSchema,
            @Nullable String capability,
            @Nullable String danger,
            @Nullable String reason) {}

    private record Registered(
            String name, String description, ObjectNode inputSchema, String capability, String danger) {
        static Registered of(ExternalDefinition tool) {
            return new Registered(
                    tool.name(),
                    tool.description(),
                    tool.inputSchema(),
                    tool.capability(),
                    tool.danger().wireName());
        }
    }
}
