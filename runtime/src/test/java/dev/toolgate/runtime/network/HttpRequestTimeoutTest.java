package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.call;
import static dev.toolgate.runtime.network.LoopbackInternet.context;
import static dev.toolgate.runtime.network.LoopbackInternet.failure;
import static dev.toolgate.runtime.network.LoopbackInternet.get;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.network.ScriptedServer.Script;
import dev.toolgate.runtime.tools.http.HttpRequestTool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Time-outs in every phase of a request. */
class HttpRequestTimeoutTest {
    private final HttpRequestTool tool = new LoopbackInternet().tool();

    /** Server behaviours that keep a client waiting. */
    enum Slowness {
        SILENCE(""),
        STATUS_LINE("HTTP/1.1 200 OK"),
        HEADERS("HTTP/1.1 200 OK\r\nX-Drip: "),
        BODY("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
        CHUNKS("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5000\r\n");

        final String start;

        Slowness(String start) {
            this.start = start;
        }
    }

    @ParameterizedTest
    @EnumSource
    void times_out_on_a_slow_server(Slowness slowness) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        Script drip = (_, out, _) -> {
            try {
                out.write(slowness.start.getBytes(US_ASCII));
                while (!gone.await(50, TimeUnit.MILLISECONDS)) {
                    if (slowness != Slowness.SILENCE) {
                        out.write('x');
                    }
                }
            } catch (IOException aborted) {
                gone.countDown();
            }
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, drip)) {
            Failure late = failure(tool, get(url(server), 1));
            assertThat(late.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
            assertThat(late.message()).contains("within 1 seconds");
            if (slowness == Slowness.SILENCE) {
                gone.countDown(); // a silent server never writes, so it does not notice
            }
            assertThat(gone.await(10, TimeUnit.SECONDS))
                    .as("the socket was closed")
                    .isTrue();
        }
    }

    @Test
    void times_out_on_endless_interim_responses() throws Exception {
        Script interim = (_, out, _) -> {
            while (true) {
                out.write("HTTP/1.1 103 Early Hints\r\n\r\n".getBytes(US_ASCII));
            }
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, interim)) {
            assertThat(failure(tool, get(url(server), 1)).code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
        }
    }

    @Test
    void times_out_on_an_unanswered_connect() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.ofLiteral(PUBLIC))) {
            List<SocketChannel> queue = new ArrayList<>();
            for (int i = 0; i < 4; i++) { // more than the queue holds, so that the next one gets no answer
                SocketChannel waiting = SocketChannel.open();
                waiting.configureBlocking(false);
                waiting.connect(full.getLocalSocketAddress());
                queue.add(waiting);
            }
            assertThat(failure(tool, get("http://" + PUBLIC + ":" + full.getLocalPort() + "/", 1))
                            .code())
                    .isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
            for (SocketChannel waiting : queue) {
                waiting.close();
            }
        }
    }

    @Test
    void a_dns_answer_after_the_time_out_opens_no_connection() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        AtomicReference<Thread> worker = new AtomicReference<>();
        Resolver slow = _ -> {
            worker.set(Thread.currentThread());
            try {
                late.await();
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
            return List.of(InetAddress.ofLiteral(PUBLIC));
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok(""))) {
            assertThat(failure(
                                    new HttpRequestTool(AddressPolicies.forAllTenants(LoopbackInternet.POLICY), slow),
                                    get("http://slow.example:" + server.port() + "/", 1))
                            .code())
                    .isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
            late.countDown();
            worker.get().join();
            assertThat(server.hits()).isZero();
        }
    }

    @Test
    void a_shorter_limit_of_the_policy_applies() throws Exception {
        Bounds half = new Bounds(null, null, Duration.ofMillis(500), null, List.of(), null, null, List.of());
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, (_, _, _) -> new CountDownLatch(1).await())) {
            ToolFailure late =
                    catchThrowableOfType(ToolFailure.class, () -> tool.call(get(url(server), 600), context(half)));
            assertThat(late.failure().code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
        }
    }

    @Test
    void an_interrupt_closes_the_socket_at_once() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        AtomicReference<Integer> afterwards = new AtomicReference<>();
        Script wait = (_, _, socket) -> {
            arrived.countDown();
            afterwards.set(socket.getInputStream().read());
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, wait)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread caller = Thread.ofPlatform()
                    .start(() -> thrown.set(catchThrowable(() -> call(tool, get(url(server), 600)))));
            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
            caller.interrupt();
            await().untilAsserted(() -> assertThat(afterwards.get()).isEqualTo(-1));
            caller.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        }
    }

    private static String url(ScriptedServer server) {
        return "http://" + PUBLIC + ":" + server.port() + "/";
    }
}
