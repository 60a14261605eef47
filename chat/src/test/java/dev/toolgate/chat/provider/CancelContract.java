package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Conversation.QUESTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract of providers for cancellation: possible at any moment, without leaks. */
abstract class CancelContract extends ProviderFixture {
    static final ChatRequest TALKS = ChatRequest.of("model-that-begins", QUESTION.messages());
    private static final ConditionFactory OFTEN = await().pollInterval(Duration.ofMillis(1));

    @TempDir
    private Path folder;

    private List<String> beginning() {
        List<String> hello = frames.text(List.of("Hel", "lo"), Usage.NONE);
        return hello.subList(0, hello.size() - 1);
    }

    @Test
    void cancelling_before_the_start_sends_nothing() {
        Cancellation cancelled = new Cancellation();
        cancelled.cancel();
        List<StreamChunk> chunks = new ArrayList<>();

        provider().stream(QUESTION, chunks::add, cancelled);

        assertThat(chunks).singleElement().isInstanceOfSatisfying(StreamChunk.Broken.class, broken -> assertThat(
                        broken.failure().kind())
                .isEqualTo(Kind.CANCELLED));
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void cancelling_before_the_first_byte_closes_the_socket() {
        server.does(ScriptedServer.Talk::hang);
        Conversation conversation = Conversation.start(provider(), QUESTION);
        await().until(() -> server.requests().size() == 1);

        conversation.cancel();

        await().until(() -> server.closedByClient() == 1);
        assertThat(conversation.join().failure().kind()).isEqualTo(Kind.CANCELLED);
        assertThat(conversation.chunks()).hasSize(1);
    }

    @Test
    void cancelling_midway_closes_the_socket_and_keeps_the_text() {
        server.does(talk -> talk.begin().send(beginning()).hang());
        Conversation conversation = Conversation.start(provider(), QUESTION);
        await().until(() -> conversation.answer().message().text().equals("Hello"));

        conversation.cancel();

        await().until(() -> server.closedByClient() == 1);
        assertThat(conversation.join().failure().kind()).isEqualTo(Kind.CANCELLED);
        assertThat(conversation.answer().message().text()).isEqualTo("Hello");
    }

    @Test
    void an_interrupt_cancels_and_stays_set() {
        server.does(talk -> talk.begin().send(beginning()).hang());
        List<Boolean> stillInterrupted = new ArrayList<>();
        Conversation conversation = Conversation.start(provider(), QUESTION, chunk -> {
            if (chunk instanceof StreamChunk.Broken) {
                stillInterrupted.add(Thread.currentThread().isInterrupted());
            }
        });
        await().until(() -> conversation.answer().message().text().equals("Hello"));

        conversation.interrupt();

        await().until(() -> server.closedByClient() == 1);
        assertThat(conversation.join().failure().kind()).isEqualTo(Kind.CANCELLED);
        assertThat(stillInterrupted).containsExactly(true);
    }

    @Test
    void no_chunk_comes_after_the_cancellation() {
        server.does(talk -> talk.begin()
                .send(frames.text(List.of("a", "b", "c"), Usage.NONE))
                .end());
        Cancellation cancellation = new Cancellation();
        List<StreamChunk> chunks = new ArrayList<>();

        provider().stream(
                QUESTION,
                chunk -> {
                    chunks.add(chunk);
                    if (chunk instanceof StreamChunk.Text) {
                        cancellation.cancel();
                    }
                },
                cancellation);

        assertThat(chunks).hasSize(3);
        assertThat(chunks.getLast()).isInstanceOf(StreamChunk.Broken.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void five_hundred_cancellations_leak_no_connection_or_thread() throws IOException {
        server.does(talk -> {
            if (talk.request().body().contains(TALKS.model())) {
                talk.begin().send(beginning());
            }
            talk.hang();
        });
        oneCancelled(2); // warm-up: lazily created resources exist from here on
        await().until(() -> server.open() == 0);
        int threads = threads();

        for (int i = 1; i <= 500; i++) {
            oneCancelled(i);
        }

        await().until(() -> server.open() == 0);
        assertThat(server.requests().size())
                .as("some are cancelled before they are sent")
                .isGreaterThan(250);
        await().untilAsserted(() -> assertThat(threads()).isLessThanOrEqualTo(threads + 3));
    }

    // At every stage: before the request is sent, while it is, when the server has it, during the answer.
    private void oneCancelled(int i) {
        int before = server.requests().size();
        Conversation conversation = Conversation.start(provider(), i % 2 == 0 ? TALKS : QUESTION);
        switch (i % 4) {
            case 1 -> OFTEN.until(() -> server.requests().size() > before);
            case 2 -> OFTEN.until(() -> !conversation.chunks().isEmpty());
            case 3 -> Thread.onSpinWait();
            default -> {}
        }
        conversation.cancel();
        assertThat(conversation.join().failure().kind()).isEqualTo(Kind.CANCELLED);
    }

    /** The number of all threads, including virtual ones. */
    private int threads() throws IOException {
        Path dump = folder.resolve(UUID.randomUUID() + ".json");
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
        int count = 0;
        for (var container : Json.MAPPER.readTree(Files.readString(dump)).at("/threadDump/threadContainers")) {
            count += container.path("threads").size();
        }
        return count;
    }
}
