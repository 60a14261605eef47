package dev.toolgate.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a body up to a maximum number of bytes. */
final class LimitedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
    private final long max;
    private long read;
    private Flow.@Nullable Subscription subscription;

    private LimitedBody(long max) {
        this.max = max;
    }

    static BodyHandler<byte[]> of(long max) {
        return response -> new LimitedBody(max);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return bytes.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription incoming) {
        subscription = incoming;
        bytes.onSubscribe(incoming);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        buffers.forEach(buffer -> read += buffer.remaining());
        if (read <= max) {
            bytes.onNext(buffers);
        } else if (subscription != null) {
            subscription.cancel();
            bytes.onError(new IOException("The answer has more than " + max + " bytes"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        bytes.onError(failure);
    }

    @Override
    public void onComplete() {
        if (read <= max) {
            bytes.onComplete();
        }
    }
}
