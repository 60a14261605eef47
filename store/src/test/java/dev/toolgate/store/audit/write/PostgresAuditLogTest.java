package dev.toolgate.store.audit.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.AuditLogContract;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.record.CallFacts;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class PostgresAuditLogTest extends AuditLogContract {
    private AuditStore store;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Override
    protected AuditLog log() {
        return store.log();
    }

    @Override
    protected List<AuditLog.Entry> entries() {
        return store.all().stream()
                .sorted(Comparator.comparingLong(found -> found.link().sequence()))
                .map(found -> entry(found.call()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":\"NUL \\u0000 here\"}",
                "{\"k\\u0000\":1}",
                "{\"a\":\"half \\ud800 pair\"}",
                "{\"a\":1e100000}",
                "{\"a\":1E+2,\"b\":1.50,\"c\":-0.0,\"d\":1e-7,\"e\":12345678901234567890123}",
                "{\"b\":{\"z\":1,\"y\":[{\"q\":1,\"p\":2}]},\"a\":\"\\u2028 \\\" \\\\ \\n é 😀\"}",
            })
    void parameters_that_jsonb_rejects_or_normalizes_are_recorded(String parameters) {
        ObjectNode node = (ObjectNode) Json.MAPPER.readTree(parameters);
        AuditLog.Entry plain = AuditStore.completed("r1");
        log().record(new AuditLog.Entry(
                new AuditLog.Intent(
                        AuditLog.Kind.CALL,
                        plain.requestId(),
                        plain.caller(),
                        CallContext.NONE,
                        "project \0 " + "x".repeat(200),
                        "tool \ud800 " + "y".repeat(500),
                        "operation \0",
                        node,
                        null,
                        null,
                        plain.call().at()),
                Duration.ofDays(1000),
                plain.status(),
                null,
                "reason \0",
                AuditLog.Approval.NONE,
                "summary \udc00",
                null));

        assertThat(store.all()).hasSize(1);
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void huge_parameters_are_replaced_by_a_placeholder() {
        AuditLog.Entry plain = AuditStore.completed("r1");
        ObjectNode huge = Json.MAPPER.createObjectNode().put("content", "x".repeat(2 << 20));
        log().record(new AuditLog.Entry(
                new AuditLog.Intent(
                        AuditLog.Kind.CALL,
                        plain.requestId(),
                        plain.caller(),
                        CallContext.NONE,
                        null,
                        "bash",
                        "execute",
                        huge,
                        null,
                        null,
                        plain.call().at()),
                plain.took(),
                plain.status(),
                null,
                null,
                AuditLog.Approval.NONE,
                "OK",
                null));

        assertThat(store.all().getFirst().call().parameters())
                .contains("not recorded")
                .hasSizeLessThan(200);
    }

    @Test
    void closing_writes_the_queue_and_ends_the_chain() throws Exception {
        try (AuditStore second = AuditStore.open(store.url())) {
            Thread caller = Thread.ofVirtual().start(() -> second.log().record(AuditStore.completed("last")));
            caller.join();
        }

        assertThat(entries()).hasSize(1);
        assertThat(store.count("SELECT count(*) FROM audit_instances WHERE ended_at IS NOT NULL"))
                .isEqualTo(1);
    }

    private static AuditLog.Entry entry(CallFacts call) {
        return new AuditLog.Entry(
                new AuditLog.Intent(
                        call.kind(),
                        new RequestId(call.requestId()),
                        new Caller(
                                new TenantId(call.tenantId()),
                                new AgentId(call.agentId()),
                                call.sessionId() == null ? null : new SessionId(call.sessionId()),
                                new WorkspaceId(call.workspaceId()),
                                Objects.requireNonNull(call.principal())),
                        new CallContext(
                                call.correlationId(),
                                call.conversationId(),
                                call.messageId(),
                                call.toolCallId(),
                                call.taskId(),
                                call.stepId(),
                                call.clientTimestamp(),
                                call.client(),
                                call.undoes()),
                        call.projectId(),
                        call.toolName(),
                        call.operation(),
                        (ObjectNode) Json.MAPPER.readTree(call.parameters()),
                        call.argumentsDigest(),
                        call.maskedCharacters(),
                        call.timestamp()),
                Duration.ofMillis(Objects.requireNonNull(call.executionTimeMs())),
                call.status(),
                call.errorCode() == null ? null : ErrorCode.valueOf(call.errorCode()),
                call.denialReason(),
                new AuditLog.Approval(
                        call.approvedBy(), call.approvedAt(), call.approvalReason(), call.approvalRuleId()),
                Objects.requireNonNull(call.resultSummary()),
                call.cost() == null ? null : call.cost().stripTrailingZeros());
    }
}
