package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Conversation.QUESTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contract of providers for servers that are too slow or send too much. */
abstract class BoundsContract extends CancelContract {

    final List<String> hello() {
        return frames.text(List.of("Hel", "lo"), new Usage(1, 2));
    }

    final List<String> allButTheLast() {
        List<String> hello = hello();
        return hello.subList(0, hello.size() - 1);
    }

    @Test
    void a_silent_server_times_out_before_the_first_byte_and_midway() {
        // Distinguished by model: the first request may time out before the server has read it.
        server.does(talk -> {
            if (talk.request().body().contains(TALKS.model())) {
                talk.begin().send(allButTheLast());
            }
            talk.hang();
        });
        try (ModelHttp shortTimeout = http(SizeLimits.DEFAULT, idle(SHORT));
                ModelHttp longerTimeout = http(SizeLimits.DEFAULT, idle(LONGER))) {
            Conversation silent = Conversation.whole(provider(shortTimeout), QUESTION);
            Conversation stuck = Conversation.whole(provider(longerTimeout), TALKS);

            assertThat(silent.chunks()).hasSize(1);
            assertThat(silent.failure().kind()).isEqualTo(Kind.IDLE_TIMEOUT);
            assertThat(stuck.answer().message().text()).isEqualTo("Hello");
            assertThat(stuck.failure().kind()).isEqualTo(Kind.IDLE_TIMEOUT);
            await().until(() -> server.open() == 0 && server.closedByClient() > 0);
        }
    }

    @Test
    void a_document_that_stalls_times_out() {
        String models = frames.models();
        List<ScriptedServer.Script> scripts = List.of(
                ScriptedServer.Talk::hang,
                talk -> talk.begin()
                        .send(models.substring(0, models.length() / 2))
                        .hang(),
                talk -> {
                    talk.begin();
                    while (true) { // blanks before the document, so it is never idle and never too large
                        talk.send(" ");
                    }
                });
        Timeouts shortDocument = new Timeouts(
                QUICK.connect(), QUICK.idle(), SHORT, QUICK.retries(), QUICK.firstPause(), QUICK.maxPause());
        SizeLimits roomy = new SizeLimits(5000, 5000, 5000, 3, 100_000_000);
        try (ModelHttp shortTimeout = http(roomy, shortDocument)) {
            for (ScriptedServer.Script script : scripts) {
                server.does(script);
                assertThatExceptionOfType(ProviderFailed.class)
                        .isThrownBy(() -> provider(shortTimeout).listModels(null))
                        .withMessageMatching("\\w+ did not answer within 0 seconds\\.")
                        .satisfies(failed -> assertThat(failed.failure().kind()).isEqualTo(Kind.IDLE_TIMEOUT));
                await().until(() -> server.open() == 0);
            }
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void sizes_are_bounded() {
        String path = "{\"path\":\"" + "x".repeat(2000) + "\"}";
        List<ToolCall> many = Collections.nCopies(4, new ToolCall("call_a", "now", "{}"));
        assertThat(kindWith(new SizeLimits(500, 5000, 5000, 3, 5000), List.of("x".repeat(1000))))
                .isEqualTo(Kind.TOO_LARGE);
        assertThat(kindWith(new SizeLimits(5000, 5000, 100, 3, 5000), Collections.nCopies(200, "x")))
                .isEqualTo(Kind.TOO_LARGE);
        server.does(talk -> talk.begin()
                .send(frames.calls(List.of(new ToolCall("a", "b", path))))
                .end());
        assertThat(kindWith(new SizeLimits(9000, 1000, 9000, 3, 5000))).isEqualTo(Kind.TOO_LARGE);
        server.does(talk -> talk.begin().send(frames.calls(many)).end());
        assertThat(kindWith(new SizeLimits(9000, 1000, 9000, 3, 5000))).isEqualTo(Kind.TOO_LARGE);
        server.does(talk -> talk.begin()
                .send(frames.calls(List.of(new ToolCall("i".repeat(2000), "now", "{}"))))
                .end());
        assertThat(kindWith(new SizeLimits(9000, 1000, 1000, 3, 5000))).isEqualTo(Kind.TOO_LARGE);
        for (List<String> hoard : frames.hoards()) {
            server.does(talk -> talk.begin().send(hoard).end());
            assertThat(kindWith(new SizeLimits(500, 1000, 1000, 3, 5000)))
                    .as(hoard.getLast())
                    .isEqualTo(Kind.TOO_LARGE);
        }
        server.does(talk -> talk.say(400, frames.refusal("x".repeat(100_000))));
        assertThat(Conversation.whole(provider(), QUESTION).failure().message()).hasSizeLessThan(600);
    }

    private Kind kindWith(SizeLimits limits, List<String> pieces) {
        server.does(talk -> talk.begin().send(frames.text(pieces, Usage.NONE)).end());
        return kindWith(limits);
    }

    private Kind kindWith(SizeLimits limits) {
        try (ModelHttp bounded = http(limits, QUICK)) {
            return Conversation.whole(provider(bounded), QUESTION).failure().kind();
        }
    }
}
