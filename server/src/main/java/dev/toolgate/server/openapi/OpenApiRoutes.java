package dev.toolgate.server.openapi;

import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What the server can be asked, for programs and for people. */
public final class OpenApiRoutes {
    private static final String PAGE = "/docs";

    private final OnDemand<byte[]> document;
    private final OnDemand<byte[]> yaml;
    private final OnDemand<DocsPage> page = new OnDemand<>(DocsPage::read);

    /**
     * @param version of the running server
     */
    public OpenApiRoutes(String version) {
        document = new OnDemand<>(() -> Json.MAPPER.writeValueAsBytes(ApiDocument.read(version)));
        yaml = new OnDemand<>(() -> ApiDocument.yaml(ApiDocument.read(version)).getBytes(StandardCharsets.UTF_8));
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get("/openapi.json", RouteAccess.open(), Dialect.STANDARD, this::document),
                Route.get("/openapi.yaml", RouteAccess.open(), Dialect.STANDARD, this::yaml),
                Route.get(PAGE, RouteAccess.open(), Dialect.STANDARD, this::page),
                Route.get("/", RouteAccess.open(), Dialect.STANDARD, this::start));
    }

    private Response document(Exchange exchange) {
        return Response.bytes("application/json", document.get());
    }

    private Response yaml(Exchange exchange) {
        return Response.bytes("application/yaml", yaml.get());
    }

    private Response page(Exchange exchange) {
        Map<String, String> headers = Map.of(
                "Content-Security-Policy", page.get().policy(),
                "Referrer-Policy", "no-referrer",
                "X-Frame-Options", "DENY");
        return new Response.Bytes(
                200, "text/html; charset=utf-8", page.get().html().getBytes(StandardCharsets.UTF_8), headers);
    }

    private Response start(Exchange exchange) {
        return new Response.Empty(302, Map.of("Location", PAGE));
    }
}
