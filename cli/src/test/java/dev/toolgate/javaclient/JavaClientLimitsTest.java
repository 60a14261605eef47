package dev.toolgate.javaclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.client.ApprovalTimeoutException;
import dev.toolgate.client.Call;
import dev.toolgate.client.ConnectionFailedException;
import dev.toolgate.client.RateLimitedException;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.Grant;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java client with a server that has short time-outs and low limits, and then stops. */
@Timeout(240)
class JavaClientLimitsTest {
    private static final Call LIST = Call.of("file_list").with("path", ".");

    @TempDir
    private Path home;

    @Test
    void approval_timeout_rate_limit_and_lost_connection_are_distinct() throws Exception {
        Map<String, String> options =
                Map.of("approvals.expire_after", "1s", "limits.per_agent.calls", "2", "limits.per_agent.period", "1h");
        Toolgate gone;
        try (RunningServer server = RunningServer.start(home, options)) {
            Toolgate admin = Toolgate.builder()
                    .url(server.url())
                    .key(server.key(RunningServer.FIRST, Role.ADMIN, null))
                    .build();
            admin.permissions().allow("careful", "file_list", Grant.allowed().withApproval());
            admin.permissions().allow("busy", "file_list");
            Toolgate busy = Toolgate.builder()
                    .url(server.url())
                    .key(server.key(RunningServer.FIRST, Role.AGENT, new AgentId("busy")))
                    .agent("busy")
                    .build();
            gone = busy;

            assertThatThrownBy(() -> admin.execute(LIST.as("careful")))
                    .isInstanceOfSatisfying(ApprovalTimeoutException.class, late -> assertThat(late.violationType())
                            .isEqualTo("approval_timeout"));

            busy.execute(LIST);
            busy.execute(LIST);
            assertThatThrownBy(() -> busy.execute(LIST)).isInstanceOfSatisfying(RateLimitedException.class, limited -> {
                assertThat(limited.retryable()).isTrue();
                assertThat(limited.retryAfter()).isGreaterThan(Duration.ofMinutes(1));
            });
        }
        assertThatThrownBy(() -> gone.execute(LIST)).isInstanceOf(ConnectionFailedException.class);
    }
}
