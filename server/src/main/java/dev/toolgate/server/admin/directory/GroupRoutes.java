package dev.toolgate.server.admin.directory;

import dev.toolgate.core.call.AgentId;
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
import dev.toolgate.server.door.Urls;
import dev.toolgate.store.grant.GroupSummary;
import dev.toolgate.store.grant.Groups;
import dev.toolgate.store.grant.Holder;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Routes to administer groups of agents and their members. */
public final class GroupRoutes {
    private static final String ALL = "/api/v1/groups";
    private static final String GROUPS = "groups";
    private static final String ONE = ALL + "/{group_id}";
    private static final int MAX_RECORDED = 1000;
    private static final String MEMBER = ONE + "/members/{agent_id}";

    private final JsonRecord<NewGroup> newGroup = JsonRecord.of(NewGroup.class);
    private final JsonRecord<GroupPatch> patch = JsonRecord.of(GroupPatch.class);
    private final Groups groups;
    private final Administration administration;
    private final InstantSource clock;

    public GroupRoutes(Groups groups, Administration administration, InstantSource clock) {
        this.groups = groups;
        this.administration = administration;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        RouteAccess read = RouteAccess.needs(Right.READ_PERMISSIONS);
        RouteAccess change = RouteAccess.needs(Right.CHANGE_PERMISSIONS);
        return List.of(
                Route.get(ALL, read, Dialect.STANDARD, this::list).withQuery("limit", "after"),
                Route.post(ALL, change, Dialect.STANDARD, administration.handler(GROUPS, "create", this::create))
                        .withQuery(Authors.REASON),
                Route.get(ONE, read, Dialect.STANDARD, this::show)
                        .withSlashesIn("group_id")
                        .withQuery("limit", "after"),
                Route.patch(ONE, change, Dialect.STANDARD, administration.handler(GROUPS, "describe", this::describe))
                        .withSlashesIn("group_id")
                        .withQuery(Authors.REASON),
                Route.delete(ONE, change, Dialect.STANDARD, administration.handler(GROUPS, "delete", this::delete))
                        .withSlashesIn("group_id")
                        .withQuery(Authors.REASON),
                Route.put(MEMBER, change, Dialect.STANDARD, administration.handler(GROUPS, "add_member", this::add))
                        .withSlashesIn("group_id", "agent_id")
                        .withQuery(Authors.REASON),
                Route.delete(
                                MEMBER,
                                change,
                                Dialect.STANDARD,
                                administration.handler(GROUPS, "remove_member", this::remove))
                        .withSlashesIn("group_id", "agent_id")
                        .withQuery(Authors.REASON));
    }

    private Response list(Exchange exchange) {
        Page page = Page.of(exchange);
        List<GroupSummary> found = groups.list(tenant(exchange), page.after(PathIds::group), page.limitPlusOne());
        return page.answer(ALL, found, GroupSummary::groupId, GroupAnswer::of);
    }

    private Response create(Exchange exchange, Change change) {
        NewGroup wanted = exchange.json(newGroup);
        Holder.Group group = PathIds.group(wanted.groupId());
        change.about("group_id", group.id())
                .because(Authors.of(exchange).reason())
                .begin(null);
        if (!FailureMapping.unknownAsConflict(() -> groups.create(tenant(exchange), group, wanted.description()))) {
            throw HttpFailure.conflict("There is a group '" + group.id() + "' already.");
        }
        GroupAnswer made = GroupAnswer.of(find(exchange, group));
        change.changedTo(made);
        return new Response.Json(201, made, Map.of("Location", Urls.of(ALL, group.id())));
    }

    /** The members are paged; everything else is on every page. */
    private Response show(Exchange exchange) {
        Page page = Page.of(exchange);
        Holder.Group group = group(exchange);
        GroupSummary summary = find(exchange, group);
        List<String> members = groups.members(tenant(exchange), group, page.after(PathIds::agent), page.limitPlusOne());
        return new Response.Json(
                200,
                GroupDetails.of(
                        summary,
                        members.stream().limit(page.limit()).toList(),
                        groups.permissions(tenant(exchange), group),
                        clock.instant()),
                page.next(Urls.of(ALL, group.id()), members, member -> member, Map.of()));
    }

    private Response describe(Exchange exchange, Change change) {
        ObjectNode body = exchange.json();
        String description = patch.read(body).description();
        Holder.Group group = group(exchange);
        change.because(Authors.of(exchange).reason()).begin(GroupAnswer.of(find(exchange, group)));
        return FailureMapping.unknownAsNotFound(() -> {
            if (body.has("description")) {
                groups.describe(tenant(exchange), group, description);
            }
            GroupAnswer after = GroupAnswer.of(find(exchange, group));
            change.changedTo(after);
            return Response.json(after);
        });
    }

    private Response delete(Exchange exchange, Change change) {
        Holder.Group group = group(exchange);
        change.because(Authors.of(exchange).reason())
                .begin(GroupDetails.of(
                        find(exchange, group),
                        groups.members(tenant(exchange), group, null, MAX_RECORDED),
                        groups.permissions(tenant(exchange), group),
                        clock.instant()));
        return FailureMapping.unknownAsNotFound(() -> {
            groups.delete(tenant(exchange), group, Authors.of(exchange));
            return Response.empty();
        });
    }

    private Response add(Exchange exchange, Change change) {
        change.because(Authors.of(exchange).reason()).begin(null);
        boolean added = FailureMapping.unknownAsNotFound(
                () -> groups.add(tenant(exchange), group(exchange), agent(exchange), Authors.of(exchange)));
        change.changedTo(Map.of("member", true, "added", added));
        return Response.empty();
    }

    private Response remove(Exchange exchange, Change change) {
        change.because(Authors.of(exchange).reason()).begin(Map.of("member", true));
        if (!groups.remove(tenant(exchange), group(exchange), agent(exchange), Authors.of(exchange))) {
            throw HttpFailure.notFound(
                    "Agent '" + exchange.path("agent_id") + "' is not in group '" + exchange.path("group_id") + "'.");
        }
        return Response.empty();
    }

    private GroupSummary find(Exchange exchange, Holder.Group group) {
        return groups.find(tenant(exchange), group)
                .orElseThrow(() -> HttpFailure.notFound("There is no group '" + group.id() + "'."));
    }

    private static Holder.Group group(Exchange exchange) {
        return PathIds.group(exchange.path("group_id"));
    }

    private static AgentId agent(Exchange exchange) {
        return PathIds.agent(exchange.path("agent_id"));
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }

    private record NewGroup(String groupId, @Nullable String description) {}

    private record GroupPatch(@Nullable String description) {}
}
