package dev.toolgate.server.admin;

import dev.toolgate.http.routing.Route;
import dev.toolgate.server.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The administration routes of a server. */
final class AdministrationPaths {
    private static final Pattern OURS = Pattern.compile(
            "/api/v1/(agents|approvals(?!/stream)|calls|permissions|templates|groups|keys|people|tenants|sessions|console(?!/events)|whoami|tools|providers|mcp)"
                    + "(?!/execute|/validate).*|/workspaces/.*");

    private AdministrationPaths() {}

    static List<Route> of(RunningServer server) {
        return server.routes().stream()
                .filter(route -> OURS.matcher(route.path().text()).matches())
                .toList();
    }

    static String name(Route route) {
        return route.method() + " " + route.path();
    }

    /** The path of a route with ids filled in. */
    static String path(Route route, Map<String, String> ids) {
        String path = route.path().text();
        for (Map.Entry<String, String> id : ids.entrySet()) {
            path = path.replace("{" + id.getKey() + "}", id.getValue());
        }
        return path;
    }
}
