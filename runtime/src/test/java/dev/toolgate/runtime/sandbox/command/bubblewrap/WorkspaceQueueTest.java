package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class WorkspaceQueueTest {
    private final WorkspaceQueue queue = new WorkspaceQueue();
    private final List<Integer> order = new CopyOnWriteArrayList<>();

    @Test
    void first_come_first_served() throws Exception {
        try (var _ = queue.take(Path.of("/a"))) {
            for (int i = 0; i < 5; i++) {
                queue(i, Path.of("/a"));
            }
            assertThat(order).isEmpty();
        }
        Waiting.until(() -> order.size() == 5);
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void nested_workspaces_wait_for_each_other() throws Exception {
        try (var _ = queue.take(Path.of("/a/b"))) {
            queue(1, Path.of("/a/b/c"));
            queue(2, Path.of("/a"));
            try (var _ = queue.take(Path.of("/a2"))) {
                assertThat(order).isEmpty();
            }
        }
        Waiting.until(() -> order.size() == 2);
    }

    private void queue(int number, Path workspace) {
        Thread thread = Thread.ofVirtual().start(() -> {
            try (var _ = queue.take(workspace)) {
                order.add(number);
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        Waiting.until(() -> thread.getState() == Thread.State.WAITING);
    }
}
