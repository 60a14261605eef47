package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.http.routing.Method;
import dev.toolgate.http.routing.PathPattern;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class RoutesInDocumentTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Contract contract;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        contract = Contract.of(server.anonymous().get("/openapi.json").json());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void every_route_is_documented_and_everything_documented_is_routed() {
        assertThat(contract.operations().stream().map(Contract.Operation::name))
                .containsExactlyInAnyOrderElementsOf(
                        server.routes().stream().map(RoutesInDocumentTest::name).toList());
    }

    @Test
    void parameters_are_exactly_those_that_routes_read() {
        Map<String, Set<String>> documented = new TreeMap<>();
        Map<String, Set<String>> read = new TreeMap<>();
        for (Route route : server.routes()) {
            Contract.Operation operation = contract.operation(name(route));
            documented.put(
                    name(route) + " query",
                    contract.parameters(operation, "query").keySet());
            read.put(name(route) + " query", route.query());
            documented.put(
                    name(route) + " path",
                    contract.parameters(operation, "path").keySet());
            read.put(name(route) + " path", pathNames(route));
        }

        assertThat(documented).isEqualTo(read);
    }

    @Test
    void documented_rights_match_the_routes() {
        Map<String, JsonNode> documented = new TreeMap<>();
        Map<String, JsonNode> guarded = new TreeMap<>();
        for (Route route : server.routes()) {
            documented.put(name(route), contract.security(contract.operation(name(route))));
            guarded.put(name(route), security(route));
        }

        assertThat(documented).isEqualTo(guarded);
    }

    @Test
    void reading_and_removing_take_no_body() {
        List<String> withBody = new ArrayList<>();
        for (Contract.Operation operation : contract.operations()) {
            boolean takesBody = operation.node().has("requestBody");
            if (takesBody
                    && (operation.method().equals("GET") || operation.method().equals("DELETE"))) {
                withBody.add(operation.name());
            }
        }

        assertThat(withBody).isEmpty();
    }

    private static String name(Route route) {
        return route.method() + " " + route.path();
    }

    private static Set<String> pathNames(Route route) {
        return route.path().segments().stream()
                .filter(PathPattern.Segment.Parameter.class::isInstance)
                .map(segment -> ((PathPattern.Segment.Parameter) segment).name())
                .collect(Collectors.toSet());
    }

    /** A key or a console log-in, which also needs the CSRF token for changes. */
    private static JsonNode security(Route route) {
        ArrayNode ways = JsonNodeFactory.instance.arrayNode();
        switch (route.access()) {
            case RouteAccess.Open open -> {}
            case RouteAccess.AnyPrincipal any -> addWays(ways, route, List.of());
            case RouteAccess.PrincipalOrAnonymous anonymous -> addWays(ways, route, List.of());
            case RouteAccess.Needs needs ->
                addWays(ways, route, List.of(needs.right().name().toLowerCase(Locale.ROOT)));
        }
        return ways;
    }

    private static void addWays(ArrayNode ways, Route route, List<String> rights) {
        rights.forEach(ways.addObject().putArray("bearer")::add);
        ObjectNode session = ways.addObject();
        rights.forEach(session.putArray("session")::add);
        if (route.method() != Method.GET) {
            session.putArray("csrf");
        }
    }
}
