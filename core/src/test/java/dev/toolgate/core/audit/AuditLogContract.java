package dev.toolgate.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Contract of audit logs. */
public abstract class AuditLogContract {
    protected static final Caller ALICE = new Caller(
            new TenantId("acme"),
            new AgentId("alice"),
            new SessionId("session_1"),
            new WorkspaceId("workspace_1"),
            "key:3f2a91c0");
    private static final Caller BOB =
            Caller.ofAgent(new TenantId("acme"), new AgentId("bob"), null, new WorkspaceId("workspace_1"));

    protected abstract AuditLog log() throws Exception;

    /** The entries of the tenant acme, in order. */
    protected abstract List<AuditLog.Entry> entries() throws Exception;

    @Test
    void what_is_recorded_is_kept_with_every_detail() throws Exception {
        AuditLog.Entry whole = new AuditLog.Entry(
                new AuditLog.Intent(
                        AuditLog.Kind.ADMINISTRATION,
                        new RequestId("r1"),
                        ALICE,
                        new CallContext(
                                "c",
                                "conversation",
                                "message",
                                "tool call",
                                "task",
                                "step",
                                Instant.parse("2026-03-01T11:59:59.5Z"),
                                "client/1.0",
                                "17"),
                        "project",
                        "file_write",
                        "write",
                        (ObjectNode) Json.MAPPER.readTree(
                                "{\"path\":\"/a\",\"mode\":0.5,\"deep\":{\"list\":[1,null,true]}}"),
                        "digest",
                        7,
                        Instant.parse("2026-03-01T12:00:00.123456Z")),
                Duration.ofMillis(42),
                AuditLog.Status.REFUSED,
                ErrorCode.PERMISSION_DENIED,
                "no grant",
                new AuditLog.Approval("root", Instant.parse("2026-03-01T12:00:00.1Z"), "not today", "rule_1"),
                "refused",
                new BigDecimal("0.125"));
        AuditLog.Entry bare = completed("r2", BOB);
        log().record(whole);
        log().record(bare);

        assertThat(entries()).containsExactly(whole, bare);
        assertThat(entries()).extracting(AuditLog.Entry::allowed).containsExactly(false, true);
    }

    @Test
    void an_intent_is_not_an_entry_and_its_outcome_is_one() throws Exception {
        AuditLog.Entry outcome = completed("r1", ALICE);
        log().intend(new AuditLog.Intent(
                AuditLog.Kind.CALL,
                outcome.requestId(),
                ALICE,
                CallContext.NONE,
                null,
                outcome.tool(),
                "execute",
                outcome.parameters(),
                null,
                null,
                outcome.call().at()));
        assertThat(entries()).isEmpty();

        log().record(outcome);
        assertThat(entries()).containsExactly(outcome);
    }

    @Test
    void concurrent_calls_are_each_recorded_once() throws Exception {
        AuditLog log = log();
        List<String> requests = IntStream.range(0, 200).mapToObj(i -> "r" + i).toList();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String request : requests) {
                var _ = callers.submit(() -> log.record(completed(request, ALICE), null));
            }
        }

        assertThat(entries())
                .extracting(entry -> entry.requestId().value())
                .containsExactlyInAnyOrderElementsOf(requests);
    }

    @Test
    void an_interrupted_caller_is_recorded_and_stays_interrupted() throws Exception {
        Thread.currentThread().interrupt();
        log().record(completed("r1", ALICE));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(entries()).hasSize(1);
    }

    /** A completed call. */
    protected static AuditLog.Entry completed(String request, Caller caller) {
        return new AuditLog.Entry(
                new AuditLog.Intent(
                        AuditLog.Kind.CALL,
                        new RequestId(request),
                        caller,
                        CallContext.NONE,
                        null,
                        "file_read",
                        "execute",
                        Json.MAPPER.createObjectNode().put("path", "/a"),
                        null,
                        null,
                        Instant.parse("2026-03-01T12:00:01Z")),
                Duration.ofMillis(1),
                AuditLog.Status.COMPLETED,
                null,
                null,
                AuditLog.Approval.NONE,
                "OK",
                null);
    }
}
