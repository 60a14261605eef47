package dev.toolgate.server.admin;

import dev.toolgate.http.routing.Route;
import dev.toolgate.server.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The routes with which a server is administered. */
final class AdministrationPaths {
    private static final Pattern OURS = Pattern.compile(
            "/api/v1/(agents|approvals(?!/stream)|calls|permissions|templates|groups|keys|tenants|sessions|console|whoami|tools|providers)"
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

    /** The path of a route with ids in the places of their names. */
    static String path(Route route, Map<String, String> ids) {
        String path = route.path().text();
        for (Map.Entry<String, String> id : ids.entrySet()) {
            path = path.replace("{" + id.getKey() + "}", id.getValue());
        }
        return path;
    }
}
