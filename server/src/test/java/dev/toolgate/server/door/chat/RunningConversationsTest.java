package dev.toolgate.server.door.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.HttpFailure;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunningConversationsTest {
    private static final TenantId GREEDY = new TenantId("greedy");
    private static final TenantId MODEST = new TenantId("modest");

    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void end() {
        over.countDown();
    }

    private void start(RunningConversations running, TenantId tenant) {
        running.start(tenant, "c", this::talk, () -> {});
    }

    private void talk() {
        try {
            over.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void refused(RunningConversations running, TenantId tenant, ErrorCode code) {
        assertThatThrownBy(() -> start(running, tenant)).isInstanceOfSatisfying(HttpFailure.class, refused -> {
            assertThat(refused.code()).isEqualTo(code);
            assertThat(refused.headers()).containsKey("Retry-After");
        });
    }

    @Test
    void one_tenant_cannot_use_up_the_answers_of_others() {
        RunningConversations running = new RunningConversations(8);
        start(running, GREEDY);
        start(running, GREEDY);
        refused(running, GREEDY, ErrorCode.RATE_LIMITED);
        start(running, MODEST);
        assertThat(running.count()).isEqualTo(3);
    }

    @Test
    void a_full_server_refuses_conversations_until_one_ends() {
        RunningConversations running = new RunningConversations(1);
        start(running, GREEDY);
        refused(running, MODEST, ErrorCode.SERVICE_UNAVAILABLE);
        over.countDown();
        await().until(() -> running.count() == 0);
        start(running, MODEST);
    }
}
