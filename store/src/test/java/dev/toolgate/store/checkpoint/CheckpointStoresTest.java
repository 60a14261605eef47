package dev.toolgate.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.toolgate.store.s3.S3Checkpoints;
import dev.toolgate.store.s3.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publishing checkpoints to stores that are sometimes unavailable. */
class CheckpointStoresTest {
    private static final UUID CHAIN = UUID.randomUUID();
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);

    @TempDir
    private Path folder;

    private final SigningKey key = SigningKey.generate("toolgate");
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final Map<String, String> headers = new ConcurrentHashMap<>();
    private volatile int answer = 200;
    private HttpServer receiver;

    @BeforeEach
    void receive() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(java.util.Locale.ROOT), values.getFirst()));
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/checkpoints");
    }

    /** A chain whose size is set by the test. */
    private static final class Growing implements CheckpointPublisher.Source {
        private final List<Long> covered = new CopyOnWriteArrayList<>();
        private volatile long size;

        @Override
        public List<TreeHead> heads() {
            return List.of(new TreeHead(CHAIN, size, "A".repeat(43) + "="));
        }

        @Override
        public boolean markPublished(TreeHead head) {
            return covered.add(head.size());
        }
    }

    @Test
    void an_unavailable_receiver_is_reported_and_later_gets_the_newest() throws Exception {
        Growing chain = new Growing();
        CheckpointFolder target = new CheckpointFolder(folder);
        try (CheckpointPublisher publisher = new CheckpointPublisher(
                key, List.of(target, new HttpReceiver(address(), "a-token")), Duration.ofDays(1), NOON, chain)) {
            answer = 503;
            chain.size = 3;
            publisher.publish();
            assertThat(publisher.states().getLast().failure()).contains("503");
            assertThat(chain.covered).as("not in all stores yet").isEmpty();
            assertThat(sizes(target)).containsExactly(3L);

            answer = 200;
            chain.size = 8;
            publisher.publish();
            publisher.publish();
            assertThat(publisher.states())
                    .allSatisfy(state -> assertThat(state.failure()).isNull());
            assertThat(chain.covered).containsExactly(8L);
            assertThat(received).hasSize(2);
            assertThat(Checkpoint.read(received.getLast()).orElseThrow().isSignedBy(List.of(key.verifier())))
                    .isTrue();
            assertThat(headers).containsEntry("authorization", "Bearer a-token");
            chain.size = 9;
        }
        assertThat(sizes(target)).as("the last one is published on close").containsExactly(3L, 8L, 9L);
        assertThat(Checkpoint.read(received.getLast()).orElseThrow().head().size())
                .isEqualTo(9);
    }

    @Test
    void objects_are_locked_for_the_configured_time() throws Exception {
        try (S3Checkpoints bucket = new S3Checkpoints(
                S3Server.settings("checkpoints", "toolgate/", address().resolve("/"), folder),
                Duration.ofDays(400),
                NOON)) {
            bucket.save(Checkpoint.sign(Checkpoint.Kind.HEAD, new TreeHead(CHAIN, 5, "A".repeat(43) + "="), key));
        }
        assertThat(headers)
                .containsEntry("x-amz-object-lock-mode", "COMPLIANCE")
                .containsEntry("x-amz-object-lock-retain-until-date", "2027-04-05T12:00:00Z")
                .containsKey("content-md5");
    }

    @Test
    void checkpoints_in_a_bucket_are_read_back() throws Exception {
        try (S3Server server = S3Server.start(folder);
                S3Checkpoints bucket = new S3Checkpoints(
                        S3Server.settings(server.newBucket(folder), "toolgate/", server.endpoint(), folder),
                        null,
                        NOON)) {
            for (long size : List.of(9L, 10L)) {
                bucket.save(
                        Checkpoint.sign(Checkpoint.Kind.HEAD, new TreeHead(CHAIN, size, "A".repeat(43) + "="), key));
            }
            KnownCheckpoints known = new KnownCheckpoints(List.of(key.verifier()));
            bucket.read(known::add);
            assertThat(known.roots(CHAIN)).containsOnlyKeys(9L, 10L);
            assertThat(known.untrusted()).isEmpty();
        }
    }

    private static List<Long> sizes(CheckpointFolder target) throws IOException {
        List<Long> sizes = new ArrayList<>();
        target.read(found -> sizes.add(found.head().size()));
        return sizes;
    }
}
