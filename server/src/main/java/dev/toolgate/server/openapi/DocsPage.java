package dev.toolgate.server.openapi;

import dev.toolgate.core.digest.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The page to try the API, without external resources. Its content security policy allows only the page's own script
 * and style, by their digests.
 */
record DocsPage(String html, String policy) {
    private static final String STYLE = "/*style*/";
    private static final String SCRIPT = "/*script*/";

    static DocsPage read() {
        String style = DocumentFiles.text("page/page.css");
        String script = DocumentFiles.text("page/page.js");
        String html = DocumentFiles.text("page/page.html").replace(STYLE, style).replace(SCRIPT, script);
        String policy = String.join(
                "; ",
                "default-src 'none'",
                "script-src " + digest(script),
                "style-src " + digest(style),
                "connect-src 'self'",
                "img-src data:",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'");
        return new DocsPage(html, policy);
    }

    private static String digest(String content) {
        byte[] digest = Sha256.of(content.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }
}
