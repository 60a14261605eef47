package dev.toolgate.core.approval;

import dev.toolgate.core.approval.Approvals.Reply;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;

/** Fixture with approval requests, a store and approvers. */
@Timeout(60)
public abstract class QuestionsFixture {
    protected static final TenantId TENANT = new TenantId("default");

    protected static final AgentId AGENT = new AgentId("asker");

    static final Duration LONG = Duration.ofMinutes(10);

    static final Duration TIMEOUT = Duration.ofSeconds(20);

    protected abstract Approvals approvals();

    protected abstract ApprovalDesk desk();

    protected HeldQuestion ask(Approvals.Question question) {
        return ask(question, LONG);
    }

    protected HeldQuestion ask(Approvals.Question question, Duration lifetime) {
        return ((Reply.Asked) approvals().ask(question, lifetime)).question();
    }

    protected static Approvals.Question question(String requestId, String text) {
        return question(requestId, text, null);
    }

    static Approvals.Question question(String requestId, String text, @Nullable SessionId session) {
        Caller caller = new Caller(TENANT, AGENT, session, new WorkspaceId("default"), "key:00000000");
        Call call = Call.of(caller, "write", Json.MAPPER.createObjectNode().put("text", text))
                .as(new RequestId(requestId));
        String digest =
                HexFormat.of().withUpperCase().toHexDigits(text.hashCode()).repeat(8);
        return Approvals.Question.forOneReason(
                call,
                new RequestKey(TENANT, AGENT, call.requestId(), digest),
                "write",
                call.arguments(),
                "The grant asks for it",
                "rule-1",
                "would write " + text);
    }

    protected ApprovalRequest find(UUID id) {
        return desk().find(TENANT, id).orElseThrow();
    }

    List<UUID> ids(ApprovalDesk.Filter filter, @Nullable UUID after) {
        return desk().list(TENANT, filter, after, 10).stream()
                .map(ApprovalRequest::id)
                .toList();
    }

    static <T> List<T> atOnce(List<Callable<T>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(work).stream().map(Future::resultNow).toList();
        }
    }

    static <T> Future<T> background(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.startVirtualThread(task);
        return task;
    }
}
