package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocsPageTest {
    private static final int MAX_BYTES = 40_000;

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Reply page;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        page = server.anonymous().get("/docs");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void the_root_path_redirects_to_the_page() {
        Reply start = server.anonymous().get("/");

        assertThat(start.status()).isEqualTo(302);
        assertThat(start.header("Location")).contains("/console/");
    }

    @Test
    void it_is_small_and_has_no_external_resources() {
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.text().getBytes(StandardCharsets.UTF_8).length).isLessThan(MAX_BYTES);
        assertThat(page.text()).doesNotContainPattern("(?i)https?://|\\bimport\\b|url\\(|(src|href)=\"//|@import");
        assertThat(page.text()).contains("fetch('/openapi.json')");
    }

    @Test
    void a_browser_runs_nothing_but_its_own_script_and_style() throws Exception {
        String policy = page.header("Content-Security-Policy").orElseThrow();

        assertThat(policy.split("; "))
                .containsExactlyInAnyOrder(
                        "default-src 'none'",
                        "script-src " + digest("script"),
                        "style-src " + digest("style"),
                        "connect-src 'self'",
                        "img-src data:",
                        "base-uri 'none'",
                        "form-action 'none'",
                        "frame-ancestors 'none'");
        assertThat(page.text()).doesNotContainPattern("(?i)<[a-z][^>]*\\s(on[a-z]+|style)=");
        assertThat(page.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(page.header("Referrer-Policy")).contains("no-referrer");
    }

    @Test
    void it_stores_no_key_and_makes_no_markup_of_answers() {
        assertThat(page.text())
                .doesNotContainPattern(
                        "localStorage|sessionStorage|indexedDB|document\\.cookie|innerHTML|outerHTML|insertAdjacentHTML|eval\\(");
    }

    /** As in a browser: the digest of everything between the tags. */
    private static String digest(String tag) throws Exception {
        Matcher inline = Pattern.compile("<" + tag + ">(.*?)</" + tag + ">", Pattern.DOTALL)
                .matcher(page.text());
        assertThat(inline.find()).isTrue();
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(inline.group(1).getBytes(StandardCharsets.UTF_8));
        assertThat(inline.find()).as("only one " + tag).isFalse();
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }
}
