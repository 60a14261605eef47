package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Conversation.QUESTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.redact.Redactor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of providers for servers that refuse or fail. */
abstract class FailureContract extends BoundsContract {

    @Test
    void a_wrong_key_is_reported_without_the_key() {
        server.does(talk -> talk.say(401, frames.refusal("Incorrect key " + KEY + " given; see Bearer " + KEY)));

        Conversation conversation = Conversation.whole(provider(), QUESTION);

        assertThat(conversation.failure().kind()).isEqualTo(Kind.UNAUTHORISED);
        assertThat(conversation.failure().message())
                .contains("401", "Incorrect key")
                .doesNotContain(KEY);
        assertThat(conversation.chunks()).hasSize(1);
        assertThat(conversation.chunks().toString()).doesNotContain(KEY);
        assertThat(server.requests()).hasSize(1);
        assertThatExceptionOfType(ProviderFailed.class)
                .isThrownBy(() -> provider().validateCredentials(null))
                .satisfies(failed -> assertThat(failed.failure().kind()).isEqualTo(Kind.UNAUTHORISED))
                .withMessageNotContaining(KEY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Incorrect API key provided: sk-proj-****wxyz.",
                "Incorrect API key provided: 'sk-proj-***wxyz'. See the page.",
                "The header was Bearer sk-proj-*a****************b*wxyz",
                "***wxyz is not the key, sk-proj-*** is not either"
            })
    void a_partly_masked_key_is_masked_completely(String words) {
        server.does(talk -> talk.say(401, frames.refusal(words)));
        String refused = Conversation.whole(provider(), QUESTION).failure().message();
        server.does(talk -> talk.begin().send(frames.error(words)).end());
        String broken = Conversation.whole(provider(), QUESTION).failure().message();

        for (String message : List.of(refused, broken)) {
            assertThat(message)
                    .contains(Redactor.MASK)
                    .containsAnyOf("Incorrect API key provided: ", "The header was", " is not the key, ")
                    .doesNotContain("sk-proj")
                    .doesNotContain("wxyz")
                    .doesNotContain("*");
        }
    }

    @Test
    void the_callers_key_precedes_the_configured_one_and_is_never_shown() {
        String own = "own-key-abcdefghijkl";
        AtomicReference<Optional<ProviderKey>> configured = new AtomicReference<>(Optional.empty());
        server.does(talk -> talk.say(400, frames.refusal("You sent " + keyIn(talk.request()))));
        var provider = provider(http, server.address(), configured::get);

        ChatRequest request = QUESTION.withKey(ProviderKey.of(" " + own + "\n"));
        assertThat(Conversation.whole(provider, request).failure().message()).doesNotContain(own);
        assertThat(keyIn(server.request())).endsWith(own);
        configured.set(Optional.of(ProviderKey.of(KEY)));
        Conversation.whole(provider, request);
        assertThat(keyIn(server.request())).endsWith(own);
        Conversation.whole(provider, QUESTION);
        assertThat(keyIn(server.request())).endsWith(KEY);

        assertThat(request.toString()).doesNotContain(own);
        assertThat(server.request().body()).doesNotContain(KEY).doesNotContain(own);
    }

    @Test
    void a_redirect_is_not_followed_with_the_key() throws Exception {
        try (ScriptedServer elsewhere = new ScriptedServer()) {
            server.does(talk -> talk.say(307, "", "location: " + elsewhere.address() + "/"));

            assertThat(Conversation.whole(provider(), QUESTION).failure().kind())
                    .isEqualTo(Kind.REJECTED);
            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503, 529})
    void a_busy_server_is_retried(int status) {
        server.does(
                talk -> talk.say(status, frames.refusal("later"), "retry-after: 0"),
                talk -> talk.begin().send(hello()).end());

        Conversation conversation = Conversation.whole(provider(), QUESTION);

        assertThat(conversation.answer().message().text()).isEqualTo("Hello");
        assertThat(conversation.chunks().getFirst()).isInstanceOf(StreamChunk.Start.class);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void retry_after_may_be_a_date() {
        server.does(
                talk -> talk.say(429, "", "Retry-After: Wed, 31 Dec 2025 23:59:59 GMT"),
                talk -> talk.say(429, "", "Retry-After: Thu, 01 Jan 2026 00:01:30 GMT"));

        Conversation conversation = Conversation.whole(provider(), QUESTION);

        assertThat(conversation.failure().kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(conversation.failure().retryAfter()).isEqualTo(Duration.ofSeconds(90));
        assertThat(server.requests())
                .as("the first was past, the second too long")
                .hasSize(2);
    }

    @Test
    void a_long_retry_after_is_reported_to_the_user() {
        server.does(talk -> talk.say(529, frames.refusal("Overloaded"), "retry-after: 3600"));

        Conversation conversation = Conversation.whole(provider(), QUESTION);

        assertThat(conversation.failure().kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(conversation.failure().retryAfter()).isEqualTo(Duration.ofHours(1));
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void a_busy_server_is_tried_three_times() {
        server.does(talk -> talk.say(429, frames.refusal("later")));

        assertThat(Conversation.whole(provider(), QUESTION).failure().kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void cancelling_ends_the_wait_before_a_retry() {
        Timeouts longPauses = new Timeouts(
                QUICK.connect(), QUICK.idle(), QUICK.document(), 2, Duration.ofMinutes(10), Duration.ofMinutes(10));
        try (ModelHttp waiting = http(SizeLimits.DEFAULT, longPauses)) {
            server.does(talk -> talk.say(429, ""));
            Conversation conversation = Conversation.start(provider(waiting), QUESTION);
            await().until(() -> server.open() == 0 && server.requests().size() == 1);

            conversation.cancel();

            assertThat(conversation.join().failure().kind()).isEqualTo(Kind.CANCELLED);
        }
    }

    @Test
    void an_error_within_a_stream_is_not_retried() {
        server.does(talk -> talk.begin()
                .send(allButTheLast())
                .send(frames.error("The engine fell over, api_key=" + KEY))
                .end());

        Conversation conversation = Conversation.whole(provider(), QUESTION);

        assertThat(conversation.answer().message().text()).isEqualTo("Hello");
        assertThat(conversation.failure().kind()).isIn(Kind.OVERLOADED, Kind.UNAVAILABLE);
        assertThat(conversation.failure().message()).contains("fell over").doesNotContain(KEY);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void a_lost_connection_truncates_the_answer() {
        CountDownLatch arrived = new CountDownLatch(1);
        server.does(talk -> {
            talk.begin().send(allButTheLast());
            await().until(() -> arrived.getCount() == 0);
            talk.cut();
        });

        Conversation conversation = Conversation.start(provider(), QUESTION);
        await().until(() -> conversation.answer().message().text().equals("Hello"));
        arrived.countDown();

        assertThat(conversation.join().failure().kind()).isEqualTo(Kind.TRUNCATED);
        assertThat(conversation.answer().message().text()).isEqualTo("Hello");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void an_end_without_the_last_event_truncates_the_answer() {
        server.does(talk -> talk.begin().send(allButTheLast()).end());

        assertThat(Conversation.whole(provider(), QUESTION).failure().kind()).isEqualTo(Kind.TRUNCATED);
    }

    @Test
    void an_end_within_the_last_event_truncates_the_answer() {
        String last = hello().getLast();
        server.does(talk -> talk.begin()
                .send(allButTheLast())
                .send(last.substring(0, last.length() - 3))
                .end());

        assertThat(Conversation.whole(provider(), QUESTION).failure().kind()).isEqualTo(Kind.TRUNCATED);
    }

    @Test
    void a_malformed_chunk_ends_the_answer() {
        server.does(talk -> talk.begin()
                .send(hello().getFirst())
                .send(frames.malformed())
                .send(hello().getLast())
                .end());

        assertThat(Conversation.whole(provider(), QUESTION).failure().kind()).isEqualTo(Kind.MALFORMED);
        await().until(() -> server.open() == 0);
    }

    @Test
    void an_absent_server_is_unreachable() throws Exception {
        server.close();

        Conversation conversation = Conversation.whole(provider(), QUESTION);
        assertThat(conversation.failure().kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(conversation.failure().message()).endsWith("the connection was refused.");
    }

    @Test
    void duplicate_and_missing_call_ids_are_replaced() {
        server.does(talk -> talk.begin()
                .send(frames.calls(List.of(
                        new ToolCall("", "now", "{}"),
                        new ToolCall("same", "now", "{}"),
                        new ToolCall("same", "now", "{}"))))
                .end());

        assertThat(Conversation.whole(provider(), QUESTION).answer().message().toolCalls())
                .hasSize(3)
                .allMatch(call -> !call.id().isBlank())
                .extracting(ToolCall::id)
                .doesNotHaveDuplicates();
    }
}
