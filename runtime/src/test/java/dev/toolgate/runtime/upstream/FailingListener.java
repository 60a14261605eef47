package dev.toolgate.runtime.upstream;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.databind.node.ObjectNode;

/** Fails while it is told to. */
final class FailingListener implements UpstreamListener {
    final AtomicBoolean fails = new AtomicBoolean();
    final List<List<ObjectNode>> lists = new CopyOnWriteArrayList<>();

    @Override
    public void toolsListed(List<ObjectNode> definitions) {
        if (fails.get()) {
            throw new IllegalStateException("The listener fails.");
        }
        lists.add(definitions);
    }
}
