package dev.toolgate.chat.provider;

import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Cancellation;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

class ExchangeTest {
    @Test
    void an_exchange_started_during_shutdown_fails_and_is_closed() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        try (ScriptedServer server = new ScriptedServer();
                ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor()) {
            server.does(ScriptedServer.Talk::hang);
            watchdog.shutdownNow();
            HttpRequest request = ModelHttp.request(server.address(), "/").build();

            assertThatIOException()
                    .isThrownBy(() -> new ProviderExchange(
                                    client, request, new Cancellation(), watchdog, Duration.ofMinutes(1))
                            .close())
                    .withMessage("the connections to model servers are closed");
            await().until(() -> server.open() == 0);
        } finally {
            client.shutdownNow();
        }
    }
}
