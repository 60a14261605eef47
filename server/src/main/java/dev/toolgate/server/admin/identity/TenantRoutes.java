package dev.toolgate.server.admin.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
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
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.door.TextFields;
import dev.toolgate.store.directory.Tenant;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.identity.CreatedKey;
import dev.toolgate.store.identity.TenantProvisioning;
import java.time.InstantSource;
import java.util.List;

/** Routes to administer tenants, for admins of the first tenant. */
public final class TenantRoutes {
    private static final String ALL = "/api/v1/tenants";
    private static final RouteAccess MANAGE = RouteAccess.needs(Right.MANAGE_TENANTS);

    private final JsonRecord<NewTenant> newTenant = JsonRecord.of(NewTenant.class);
    private final Tenants tenants;
    private final TenantProvisioning provisioning;
    private final Administration administration;
    private final InstantSource clock;

    public TenantRoutes(
            Tenants tenants, TenantProvisioning provisioning, Administration administration, InstantSource clock) {
        this.tenants = tenants;
        this.administration = administration;
        this.provisioning = provisioning;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(ALL, MANAGE, Dialect.STANDARD, this::list).withQuery("limit", "after"),
                Route.post(ALL, MANAGE, Dialect.STANDARD, administration.handler("tenants", "create", this::create))
                        .withQuery(Authors.REASON));
    }

    private Response list(Exchange exchange) {
        Page page = Page.of(exchange);
        return page.answer(
                ALL,
                tenants.list(page.after(PathIds::tenant), page.limitPlusOne()),
                Tenant::tenantId,
                tenant -> tenant);
    }

    private Response create(Exchange exchange, Change change) {
        NewTenant wanted = exchange.json(newTenant);
        change.about("tenant_id", wanted.tenantId().value())
                .because(Authors.of(exchange).reason())
                .begin(null);
        CreatedKey made = FailureMapping.unknownAsConflict(() -> provisioning.create(
                        wanted.tenantId(), wanted.name(), exchange.principal().name()))
                .orElseThrow(() -> HttpFailure.conflict("There is a tenant '" + wanted.tenantId() + "' already."));
        KeyAnswer key = KeyAnswer.of(made.key(), clock.instant());
        change.changedTo(new RecordedTenant(wanted.tenantId().value(), wanted.name(), key));
        return Response.json(
                201, new MadeTenant(wanted.tenantId().value(), wanted.name(), new MadeKeyAnswer(made.text(), key)));
    }

    record NewTenant(TenantId tenantId, String name) {
        NewTenant {
            TextFields.check("name", name, 200);
        }
    }

    /**
     * @param adminKey the key of the tenant's first admin, which is shown only this once
     */
    private record MadeTenant(String tenantId, String name, MadeKeyAnswer adminKey) {}

    /** A new tenant as recorded, without the key itself. */
    private record RecordedTenant(String tenantId, String name, KeyAnswer adminKey) {}
}
