package dev.toolgate.server.console;

import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.request.AcceptedEncodings;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Routes to the console. All pages are the same document, whose script shows the page of the URL. It uses only the API,
 * so these routes need no log-in.
 */
public final class ConsoleRoutes {
    private static final String HOME = "/console/";
    private static final String NONCE_PLACEHOLDER = "__NONCE__";
    private static final int NONCE_BYTES = 18;
    private static final int MAX_PAGE = 100;
    private static final int MAX_NAME = 200;

    private final SecureRandom random = new SecureRandom();
    private final String template = ConsoleFiles.page();

    /** The routes. A path has at most two parts: a page, and the item it shows. */
    public List<Route> all() {
        return List.of(
                Route.get("/", RouteAccess.open(), Dialect.STANDARD, this::toConsole),
                Route.get("/console", RouteAccess.open(), Dialect.STANDARD, this::toConsole),
                Route.get("/console/{page}", RouteAccess.open(), Dialect.STANDARD, this::page)
                        .withAnyQuery(),
                Route.get("/console/{page}/{name}", RouteAccess.open(), Dialect.STANDARD, this::pageAbout)
                        .withAnyQuery()
                        .withSlashesIn("name"),
                Route.get("/console/assets/{file}", RouteAccess.open(), Dialect.STANDARD, this::asset));
    }

    private Response toConsole(Exchange exchange) {
        return new Response.Empty(302, Map.of("Location", HOME));
    }

    private Response page(Exchange exchange) {
        String page = exchange.path("page");
        requireName(page.isEmpty() ? "overview" : page, MAX_PAGE);
        return document();
    }

    private Response pageAbout(Exchange exchange) {
        requireName(exchange.path("page"), MAX_PAGE);
        requireName(exchange.path("name"), MAX_NAME);
        return document();
    }

    private static void requireName(String name, int maxLength) {
        if (name.isBlank() || name.length() > maxLength) {
            throw new BadRequest("A part of the path is blank or longer than " + maxLength + " characters.");
        }
    }

    private Response document() {
        byte[] secret = new byte[NONCE_BYTES];
        random.nextBytes(secret);
        String nonce = Base64.getEncoder().encodeToString(secret);
        return new Response.Bytes(
                200,
                "text/html; charset=utf-8",
                template.replace(NONCE_PLACEHOLDER, nonce).getBytes(StandardCharsets.UTF_8),
                Map.of(
                        "Content-Security-Policy", policy(nonce),
                        "Cross-Origin-Opener-Policy", "same-origin",
                        "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
                        "Referrer-Policy", "no-referrer",
                        "X-Frame-Options", "DENY"));
    }

    private static String policy(String nonce) {
        return String.join(
                "; ",
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self' 'nonce-" + nonce + "'",
                "connect-src 'self'",
                "img-src 'self' data: blob:",
                "font-src 'self'",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'");
    }

    /** The name of a file contains a digest of its content, so any cache may keep it forever. */
    private Response asset(Exchange exchange) {
        AcceptedEncodings accepted =
                AcceptedEncodings.of(exchange.header("Accept-Encoding").orElse(null));
        List<ConsoleFiles.Encoding> usable = Arrays.stream(ConsoleFiles.Encoding.values())
                .filter(encoding -> accepted.includes(encoding.token()))
                .toList();
        ConsoleFiles.Asset asset = ConsoleFiles.asset(exchange.path("file"), usable)
                .orElseThrow(() -> HttpFailure.notFound(
                        "The console has no such file; reload the page, since the server may be newer than it."));
        Map<String, String> headers = new HashMap<>(Map.of(
                "Cache-Control", "public, max-age=31536000, immutable",
                "Content-Security-Policy", "default-src 'none'",
                "Cross-Origin-Resource-Policy", "same-origin",
                "Vary", "Accept-Encoding"));
        ConsoleFiles.Encoding encoding = asset.encoding();
        if (encoding != null) {
            headers.put("Content-Encoding", encoding.token());
        }
        return new Response.Bytes(200, asset.mediaType(), asset.bytes(), headers);
    }
}
