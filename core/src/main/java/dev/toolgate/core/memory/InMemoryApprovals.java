package dev.toolgate.core.memory;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.port.Approvals;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Questions that wait in memory until somebody answers them. */
public final class InMemoryApprovals implements Approvals {
    private final Map<RequestId, Waiting> waiting = new ConcurrentHashMap<>();

    @Override
    public Answer ask(Question question, Duration patience) throws InterruptedException {
        Waiting entry = new Waiting(question, new SynchronousQueue<>());
        if (waiting.putIfAbsent(question.requestId(), entry) != null) {
            throw new IllegalStateException("Call " + question.requestId() + " is already waiting for an approval.");
        }
        try {
            Answer answer = entry.answers().poll(patience.toNanos(), TimeUnit.NANOSECONDS);
            return answer == null ? new Answer(Verdict.TIMED_OUT, null, null) : answer;
        } finally {
            waiting.remove(question.requestId());
        }
    }

    /** The questions nobody has answered yet. */
    public Collection<Question> open() {
        return List.copyOf(waiting.values().stream().map(Waiting::question).toList());
    }

    /** Answers a question; false if it is gone, answered already, or never was. */
    public boolean answer(RequestId requestId, Verdict verdict, String by, @Nullable String reason) {
        Waiting entry = waiting.get(requestId);
        // The queue hands over only to a thread that is waiting, so exactly one answer can win.
        return entry != null && entry.answers().offer(new Answer(verdict, by, reason));
    }

    private record Waiting(Question question, SynchronousQueue<Answer> answers) {}
}
