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

/** Routes to the API document and the page to try the API. */
public final class OpenApiRoutes {
    private static final String PAGE = "/docs";

    private final Lazy<byte[]> document;
    private final Lazy<byte[]> yaml;
    private final Lazy<DocsPage> page = new Lazy<>(DocsPage::read);

    /**
     * @param version the version of the running server
     */
    public OpenApiRoutes(String version) {
        document = new Lazy<>(() -> Json.MAPPER.writeValueAsBytes(ApiDocument.read(version)));
        yaml = new Lazy<>(() -> ApiDocument.yaml(ApiDocument.read(version)).getBytes(StandardCharsets.UTF_8));
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get("/openapi.json", RouteAccess.open(), Dialect.STANDARD, this::document),
                Route.get("/openapi.yaml", RouteAccess.open(), Dialect.STANDARD, this::yaml),
                Route.get(PAGE, RouteAccess.open(), Dialect.STANDARD, this::page));
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
}
