package dev.toolgate.server.admin.review;

import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.condition.ConditionReview;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Route to check the text of a condition while it is being written. */
public final class ConditionCheckRoute {
    private static final int MAX_EXAMPLES = 50;
    private static final int MAX_LENGTH = 2_000;

    private final JsonRecord<ConditionToCheck> conditionToCheck = JsonRecord.of(ConditionToCheck.class);

    /** The routes. */
    public List<Route> all() {
        return List.of(Route.post(
                        "/api/v1/conditions/check",
                        RouteAccess.needs(Right.READ_PERMISSIONS),
                        Dialect.STANDARD,
                        this::check)
                .recorded(Recording.NOTHING_TO_RECORD));
    }

    private Response check(Exchange exchange) {
        ConditionToCheck wanted = exchange.json(conditionToCheck);
        return Response.json(
                ConditionReview.of(wanted.condition, wanted.examples == null ? List.of() : wanted.examples));
    }

    /** A condition and examples to try. */
    record ConditionToCheck(String condition, @Nullable List<ObjectNode> examples) {
        ConditionToCheck {
            if (condition.codePointCount(0, condition.length()) > MAX_LENGTH) {
                throw new IllegalArgumentException(
                        "Field 'condition' must be at most " + MAX_LENGTH + " characters; shorten it.");
            }
            if (examples != null && examples.size() > MAX_EXAMPLES) {
                throw new IllegalArgumentException(
                        "Field 'examples' must have at most " + MAX_EXAMPLES + " entries; send fewer.");
            }
        }
    }
}
