package dev.toolgate.store.requestkey;

import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.digest.Sha256;
import dev.toolgate.store.audit.record.CleanText;
import dev.toolgate.store.batch.Batcher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** A request to claim or look up a key, and the caller that waits for it. */
public final class KeyRequest implements Batcher.Entry {
    private final RequestKey key;
    private final Mode mode;
    private final StoredId id;
    private final long lock;
    private final long deadline;
    private volatile boolean granted;
    private final CompletableFuture<Earlier> answer = new CompletableFuture<>();

    /** The kind of request. */
    enum Mode {
        CLAIM,
        FIND
    }

    /** The stored identity of a key. */
    public record StoredId(String tenant, String agent, String request) implements Comparable<StoredId> {
        public static StoredId of(RequestKey key) {
            return new StoredId(
                    CleanText.clean(key.tenant().value()),
                    CleanText.clean(key.agent().value()),
                    CleanText.clean(key.requestId().value()));
        }

        /**
         * The number of its advisory lock; a digest, so that a caller cannot choose an id that collides with another.
         */
        long lock() {
            String parts = tenant.length() + ":" + tenant + agent.length() + ":" + agent + request;
            return ByteBuffer.wrap(Sha256.of(parts.getBytes(StandardCharsets.UTF_8)))
                    .getLong();
        }

        @Override
        public int compareTo(StoredId other) {
            int byTenant = tenant.compareTo(other.tenant);
            int byAgent = byTenant == 0 ? agent.compareTo(other.agent) : byTenant;
            return byAgent == 0 ? request.compareTo(other.request) : byAgent;
        }
    }

    KeyRequest(RequestKey key, StoredId id, Mode mode, Duration timeout) {
        this.key = key;
        this.mode = mode;
        this.id = id;
        this.lock = mode == Mode.CLAIM ? id.lock() : 0;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    RequestKey key() {
        return key;
    }

    Mode mode() {
        return mode;
    }

    StoredId id() {
        return id;
    }

    /** The number of the advisory lock of a claim. */
    long lock() {
        return lock;
    }

    /** The claim was granted, until it is released. */
    void granted() {
        granted = true;
    }

    boolean isGranted() {
        return granted;
    }

    boolean isAnswered() {
        return answer.isDone();
    }

    /** Completes the request; false if it was already completed or its caller has given up. */
    boolean answer(Earlier found) {
        return answer.complete(found);
    }

    @Override
    public boolean take() {
        return !isAnswered();
    }

    @Override
    public void failed(Throwable why) {
        answer.completeExceptionally(why);
    }

    @Override
    public void expire(long now) {
        if (now - deadline >= 0 && !answer.isDone()) {
            failed(new TimeoutException());
        }
    }

    Earlier await() {
        try {
            return answer.get();
        } catch (InterruptedException interrupted) {
            failed(interrupted); // a claim that is granted later is released
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was interrupted while its request id was looked up.", interrupted);
        } catch (ExecutionException failed) {
            throw new Unavailable(
                    failed.getCause() instanceof TimeoutException
                            ? "The lookup of the request id timed out; try again shortly."
                            : "The request id cannot be looked up now; try again shortly.",
                    failed.getCause());
        }
    }
}
