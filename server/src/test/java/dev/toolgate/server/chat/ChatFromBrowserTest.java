package dev.toolgate.server.chat;

import static dev.toolgate.server.chat.ChatTrial.words;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpServer;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chat from a page in a real browser, which cannot send headers with a WebSocket. */
@Timeout(240)
class ChatFromBrowserTest {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    @TempDir
    private Path folder;

    private final CompletableFuture<String> reported = new CompletableFuture<>();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private HttpServer pages;
    private ChatTrial trial;
    private String key;

    @BeforeEach
    void start() throws Exception {
        pages = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        trial = ChatTrial.start(folder.resolve("home"), Map.of("dialect.chat.allowed_origins", origin()));
        AgentId agent = trial.agent("page", "guided", "file_read");
        key = trial.key(RunningServer.FIRST, agent);
        pages.createContext("/page", exchange -> {
            byte[] page = page().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        pages.createContext("/report", exchange -> {
            reported.complete(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        pages.start();
        lines.start();
        root().addAppender(lines);
    }

    @AfterEach
    void stop() throws Exception {
        root().detachAppender(lines);
        pages.stop(0);
        trial.close();
    }

    private static ch.qos.logback.classic.Logger root() {
        return (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    }

    private String origin() {
        return "http://localhost:" + pages.getAddress().getPort();
    }

    /** A page that chats over a WebSocket and reports the subprotocol and the answer to its own server. */
    private String page() {
        String message = ChatTrial.message("browser", "Hello").payload().toString();
        return """
                <!doctype html><title>chat</title><script>
                const socket = new WebSocket('%s', ['toolgate.chat', 'toolgate.key.%s']);
                const report = text => fetch('/report', {method: 'POST', body: text});
                let said = '';
                socket.onopen = () => socket.send(JSON.stringify({type: 'chat:send', payload: %s}));
                socket.onerror = () => report('error');
                socket.onmessage = event => {
                  const {type, payload} = JSON.parse(event.data);
                  if (type === 'chat:text-delta') said += payload.content;
                  if (type === 'chat:error') report('error ' + payload.message);
                  if (type === 'chat:stream-end') report(socket.protocol + ': ' + said);
                };
                </script>""".formatted(trial.server.url().replaceFirst("^http", "ws") + "/ws", key, message);
    }

    @Test
    void a_page_chats_with_its_key_as_a_subprotocol_that_is_not_logged() throws Exception {
        trial.says(words("Hello, ", "page."));

        assertThat(visited("/page")).isEqualTo("toolgate.chat: Hello, page.");
        assertThat(lines.list).noneMatch(line -> line.getFormattedMessage().contains(key));
    }

    @Test
    void a_page_of_another_origin_gets_no_socket_with_the_same_key() throws Exception {
        trial.says(words("Never said."));
        String other = origin().replace("localhost", "127.0.0.1");

        assertThat(visited(other, "/page")).isEqualTo("error");
        assertThat(trial.model.requests()).isEmpty();
    }

    private String visited(String path) throws Exception {
        return visited(origin(), path);
    }

    private String visited(String origin, String path) throws Exception {
        Process browser = new ProcessBuilder(
                        chromium().toString(),
                        "--headless=new",
                        "--no-sandbox", // the tests may run as root; only the test's page is opened
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--remote-debugging-port=0", // keeps it running until it is killed
                        "--user-data-dir=" + folder.resolve("profile"),
                        origin + path)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("browser.log").toFile())
                .start();
        try {
            return reported.get(120, TimeUnit.SECONDS);
        } catch (java.util.concurrent.TimeoutException silent) {
            throw new AssertionError(Files.readString(folder.resolve("browser.log")), silent);
        } finally {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly().waitFor();
        }
    }

    private static Path chromium() throws IOException {
        Optional<Path> found = Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
                .flatMap(place -> NAMES.stream().map(name -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .findFirst();
        return found.orElseThrow(() -> new IOException("Chromium is not installed; ./verify installs it."));
    }
}
