package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Requests to clients of the legacy era that have not been answered yet. */
final class ClientQuestions {
    private static final Pattern ID = Pattern.compile("q[0-9a-f]{12}-[0-9]{1,19}");

    private record Key(String scope, RpcId id) {}

    /** A pending question; completed with null if it will not be answered. */
    record Question(RpcId id, CompletableFuture<RpcMessage.@Nullable Response> answer) {}

    private final ConcurrentMap<Key, Question> open = new ConcurrentHashMap<>();
    private final AtomicLong counter = new AtomicLong();
    // Ids must be unique across instances: an answer may arrive at another instance than the one that asked.
    private final String prefix;

    ClientQuestions() {
        byte[] random = new byte[6];
        new SecureRandom().nextBytes(random);
        this.prefix = "q" + HexFormat.of().formatHex(random) + "-";
    }

    Question open(String scope) {
        Question question = new Question(RpcId.of(prefix + counter.incrementAndGet()), new CompletableFuture<>());
        open.put(new Key(scope, question.id()), question);
        return question;
    }

    void close(String scope, Question question) {
        open.remove(new Key(scope, question.id()));
    }

    /** Whether the id of an answer may come from another instance. */
    boolean isOfOther(RpcMessage.Response response) {
        RpcId id = id(response);
        String text = id == null ? "" : id.json().asString("");
        return ID.matcher(text).matches() && !text.startsWith(prefix);
    }

    private static @Nullable RpcId id(RpcMessage.Response response) {
        return switch (response) {
            case RpcMessage.Result result -> result.id();
            case RpcMessage.Failure failure -> failure.id();
        };
    }

    /** Delivers an answer; false if no question with its id is open here. */
    boolean answer(String scope, RpcMessage.Response response) {
        RpcId id = id(response);
        Question question = id == null ? null : open.remove(new Key(scope, id));
        return question != null && question.answer().complete(response);
    }
}
