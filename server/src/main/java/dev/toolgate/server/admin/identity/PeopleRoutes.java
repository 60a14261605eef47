package dev.toolgate.server.admin.identity;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.Authors;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.store.identity.People;
import dev.toolgate.store.identity.StoredPerson;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Routes to list the people of a tenant who have logged in through the provider, and to end a person's log-ins. */
public final class PeopleRoutes {
    private static final String ALL = "/api/v1/people";
    private static final RouteAccess MANAGE = RouteAccess.needs(Right.MANAGE_KEYS);

    private final People people;
    private final Administration administration;

    public PeopleRoutes(People people, Administration administration) {
        this.people = people;
        this.administration = administration;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(ALL, MANAGE, Dialect.STANDARD, this::list).withQuery("limit", "after"),
                Route.delete(
                                ALL + "/{person_id}/sessions",
                                MANAGE,
                                Dialect.STANDARD,
                                administration.handler("console_logins", "end", this::end))
                        .withQuery(Authors.REASON));
    }

    private Response list(Exchange exchange) {
        TenantId tenant = exchange.principal().tenant();
        Page page = Page.of(exchange);
        UUID after = page.after(text -> PathIds.uuid(text)
                .orElseThrow(() -> new BadRequest("The query parameter 'after' must be the id of a person.")));
        return page.answer(
                ALL,
                people.list(tenant, after, page.limitPlusOne()),
                person -> person.id().toString(),
                PersonAnswer::of);
    }

    private Response end(Exchange exchange, Change change) {
        TenantId tenant = exchange.principal().tenant();
        Optional<StoredPerson> found = PathIds.uuid(exchange.path("person_id")).flatMap(id -> people.find(tenant, id));
        StoredPerson person = found.orElseThrow(() -> HttpFailure.notFound("There is no person with this id."));
        change.because(Authors.of(exchange).reason()).begin(PersonAnswer.of(person));
        change.changedTo(new EndedLogins(people.endLogins(tenant, person.id())));
        return Response.empty();
    }

    private record EndedLogins(int ended) {}
}
