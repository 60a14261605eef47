package dev.toolgate.tools.web;

import static dev.toolgate.tools.Calls.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Output;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.GuardedFetch;
import dev.toolgate.runtime.network.ProxyLimits;
import dev.toolgate.tools.Calls;
import dev.toolgate.tools.ScriptedService;
import dev.toolgate.tools.ScriptedService.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real, confined Chromium; needs an installed one. */
class ChromiumRendererTest {
    private static final String FILLED_IN = "<html><head><title>App</title></head><body><div id=root></div><script>"
            + "fetch('/data').then(r => r.text()).then(t => { document.getElementById('root').innerHTML ="
            + " '<p>' + t + '</p>'; });</script></body></html>";

    @TempDir
    private Path folder;

    private final AtomicReference<String> page = new AtomicReference<>(FILLED_IN);
    private final CountDownLatch never = new CountDownLatch(1);
    private ScriptedService site;
    private ScriptedService victim;
    private Renderer renderer;

    @BeforeEach
    void start() throws Exception {
        site = ScriptedService.on(SmallInternet.PUBLIC, request -> switch (request.target()) {
            case "/data" -> Answer.html("The answer is forty-two, says the script.");
            case "/stall" -> {
                never.await();
                yield Answer.html("");
            }
            default -> Answer.html(page.get());
        });
        victim = ScriptedService.start(_ -> Answer.html("internal secret").with("Access-Control-Allow-Origin", "*"));
        renderer = renderer(SmallInternet.POLICY);
        assumeThat(renderer).isNotSameAs(Renderer.NONE);
    }

    private Renderer renderer(AddressPolicy policy) {
        return ChromiumRenderer.find(
                folder.resolve("browser"),
                policy,
                SmallInternet.RESOLVER,
                new ProxyLimits(
                        64, Duration.ofSeconds(10), Duration.ofMinutes(1), Set.of(80, site.port(), victim.port())));
    }

    @AfterEach
    void stop() {
        renderer.close();
        site.close();
        victim.close();
    }

    @Test
    void text_created_by_a_script_is_read() throws Exception {
        Output output = call(tool(), arguments("http://site.test:" + site.port() + "/"));

        assertThat(output.text()).contains("The answer is forty-two");
        assertThat(output.metadata()).containsEntry("rendered", true);
        assertThat(folder.resolve("browser")).as("what the browser wrote").isEmptyDirectory();
    }

    @Test
    void a_page_whose_script_attacks_internal_addresses_reaches_none() throws Exception {
        page.set(attack());

        Output output = call(tool(), arguments("http://site.test:" + site.port() + "/"));

        assertThat(output.text()).as("the attack was carried out").contains("script ran: The answer");
        assertThat(output.text()).doesNotContain("internal secret");
        assertThat(victim.requests()).isEmpty();
    }

    @Test
    void the_attack_succeeds_if_an_operator_allows_the_address() throws Exception {
        renderer.close();
        renderer = renderer(AddressPolicy.publicAnd(List.of("127.0.0.0/8")));
        page.set(attack());

        try (ExecutorService browsers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> rendering = browsers.submit(
                    () -> renderer.render("http://site.test:" + site.port() + "/", null, Duration.ofSeconds(60)));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !victim.requests().isEmpty());
            rendering.cancel(true); // whether the page finishes loading is irrelevant
        }
    }

    private String attack() {
        StringBuilder script = new StringBuilder();
        for (String target :
                List.of("127.0.0.1", "localhost", "inside.test", "[::1]", "0.0.0.0", "2130706433", "169.254.169.254")) {
            String url = "//" + target + ":" + victim.port() + "/";
            script.append("""
                    fetch('http:URL').catch(e => e);
                    fetch('http:URL', {mode: 'no-cors', method: 'POST', body: 'x'}).catch(e => e);
                    navigator.sendBeacon('http:URLbeacon', 'x');
                    try { new WebSocket('ws:URL') } catch (e) {}
                    var f = document.createElement('iframe'); f.src = 'http:URLframe'; document.body.appendChild(f);
                    var s = document.createElement('script'); s.src = 'http:URLscript'; document.body.appendChild(s);
                    """.replace("URL", url));
        }
        script.append("""
                try {
                    var r = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}]});
                    r.createDataChannel('x'); r.createOffer().then(o => r.setLocalDescription(o));
                } catch (e) {}
                fetch('/data').then(r => r.text()).then(t => { var p = document.createElement('p');
                    p.textContent = 'script ran: ' + t; document.body.appendChild(p); });
                """.replace("PORT", String.valueOf(victim.port())));
        return "<html><body><script>" + script + "</script></body></html>";
    }

    @Test
    void a_page_cannot_navigate_to_an_internal_address() throws Exception {
        page.set(
                "<html><body><script>location.href = 'http://127.0.0.1:" + victim.port() + "/'</script></body></html>");

        call(tool(), arguments("http://site.test:" + site.port() + "/"));

        assertThat(site.requests()).as("fetched, then rendered").hasSizeGreaterThanOrEqualTo(2);
        assertThat(victim.requests()).isEmpty();
    }

    @Test
    void the_allowed_domains_apply_to_requests_of_scripts() throws Exception {
        page.set("<html><body><div id=root></div><script>fetch('http://other.test:" + site.port()
                + "/data').catch(e => e).then(() => fetch('/data')).then(r => r.text()).then(t => {"
                + "document.getElementById('root').textContent = t});</script></body></html>");
        Bounds onlySite = new Bounds(null, null, null, null, List.of(), List.of("site.test"), null, List.of());

        Output output = call(tool(), arguments("http://site.test:" + site.port() + "/"), Calls.ALICE, onlySite);

        assertThat(output.text()).contains("forty-two");
        assertThat(site.requests()).noneMatch(request -> request.header("Host").startsWith("other.test"));
    }

    @Test
    void an_interrupt_ends_the_browser() throws Exception {
        page.set("<html><body><script>var r = new XMLHttpRequest(); r.open('GET', '/stall', false); r.send();"
                + "</script></body></html>");
        Calls.Interruptible running = stalled();

        running.thread().interrupt();

        assertThat(running.thrown().get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(folder.resolve("browser")).isEmptyDirectory();
    }

    /** Waits for a browser that is loading its page; one that exited early, which happens, does not count. */
    private Calls.Interruptible stalled() throws Exception {
        for (int attempt = 0; attempt < 3; attempt++) {
            Calls.Interruptible running = Calls.start(tool(), arguments("http://site.test:" + site.port() + "/"));
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> isStalled() || !running.thread().isAlive());
            if (isStalled()) {
                return running;
            }
        }
        throw new AssertionError("No browser requested the page.");
    }

    private boolean isStalled() {
        return site.requests().stream().anyMatch(request -> request.target().equals("/stall"));
    }

    private BrowseWebTool tool() {
        return new BrowseWebTool(
                new GuardedFetch(SmallInternet.POLICY, SmallInternet.RESOLVER),
                renderer,
                new ExtractiveSummariser(1000));
    }

    private static String arguments(String url) {
        return "{'url':'" + url + "','task_description':'What is the answer?'}";
    }
}
