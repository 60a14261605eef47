package dev.toolgate.server.admin;

import dev.toolgate.core.digest.Sha256;
import dev.toolgate.http.routing.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** Small pages outside the console, for browsers redirected from another site. They load no files and have no links. */
public final class MessagePage {
    private static final String STYLE = resource("connect.css");
    private static final String MESSAGE = resource("message.html");

    private MessagePage() {}

    /** A page with one message. */
    public static Response of(int status, String title, String text) {
        String html = MESSAGE.replace("<!--title-->", escaped(title)).replace("<!--message-->", escaped(text));
        return page(status, html, "script-src 'none'", "connect-src 'none'");
    }

    /**
     * A page with a strict content security policy.
     *
     * @param html contains the placeholder for the style
     * @param scripts the policy for scripts
     * @param connections the policy for connections
     */
    public static Response page(int status, String html, String scripts, String connections) {
        String policy = String.join(
                "; ",
                "default-src 'none'",
                scripts,
                connections,
                "style-src " + digest(STYLE),
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'");
        return new Response.Bytes(
                status,
                "text/html; charset=utf-8",
                html.replace("/*style*/", STYLE).getBytes(StandardCharsets.UTF_8),
                Map.of(
                        "Content-Security-Policy", policy,
                        "Referrer-Policy", "no-referrer",
                        "X-Frame-Options", "DENY",
                        "Cache-Control", "no-store"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The digest of a script or style in a content security policy. */
    public static String digest(String content) {
        byte[] digest = Sha256.of(content.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    /** Reads a template, style or script of these pages. */
    public static String resource(String name) {
        try (InputStream in = MessagePage.class.getResourceAsStream("/connect/" + name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "The file connect/" + name + " is missing from the build; rebuild the server.");
            }
            // Line ends may differ in a checkout; the digest must match what the browser sees.
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
