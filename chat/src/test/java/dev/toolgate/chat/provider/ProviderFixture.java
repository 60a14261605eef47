package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderKey;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** A provider's client, a scripted server and the provider's streaming format. */
abstract class ProviderFixture {
    static final String KEY = "configured-key-0123456789";
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final Timeouts QUICK = new Timeouts(
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            2,
            Duration.ofMillis(1),
            Duration.ofSeconds(5));
    static final Duration SHORT = Duration.ofMillis(700);
    /** Enough for an answer to start on a busy machine. */
    static final Duration LONGER = Duration.ofSeconds(4);

    final ScriptedServer server = new ScriptedServer();
    final ModelHttp http = http(SizeLimits.DEFAULT, QUICK);
    final Frames frames = frames();

    abstract Frames frames();

    abstract Provider provider(ModelHttp http, URI address, Supplier<Optional<ProviderKey>> key);

    /** The key in a request. */
    abstract String keyIn(ScriptedServer.Request request);

    @AfterEach
    void close() throws IOException {
        server.close();
        http.close();
    }

    static ModelHttp http(SizeLimits sizes, Timeouts timeouts) {
        return new ModelHttp(sizes, timeouts, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    static Timeouts idle(Duration idle) {
        return new Timeouts(
                QUICK.connect(), idle, QUICK.document(), QUICK.retries(), QUICK.firstPause(), QUICK.maxPause());
    }

    Provider provider() {
        return provider(http);
    }

    Provider provider(ModelHttp through) {
        return provider(through, server.address(), () -> Optional.of(ProviderKey.of(KEY)));
    }
}
