package dev.toolgate.runtime.upstream;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.databind.node.ObjectNode;

/** Fails while it is told to. */
final class FailingListener implements UpstreamListener {
    private final Runnable failure;
    final AtomicBoolean fails = new AtomicBoolean();
    final List<List<ObjectNode>> lists = new CopyOnWriteArrayList<>();

    FailingListener() {
        this(() -> {
            throw new IllegalStateException("The listener fails.");
        });
    }

    /**
     * @param failure throws what it fails with
     */
    FailingListener(Runnable failure) {
        this.failure = failure;
    }

    @Override
    public void toolsListed(List<ObjectNode> definitions) {
        if (fails.get()) {
            failure.run();
        }
        lists.add(definitions);
    }
}
