package dev.toolgate.store.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.artifact.ArtifactUri;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.store.artifact.InsertBatcher.PendingInsert;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InsertBatcherTest {
    private static final TenantId ACME = new TenantId("acme");

    private final List<Integer> batches = new ArrayList<>();
    private final InsertBatcher batcher = new InsertBatcher(batch -> {
        batches.add(batch.size());
        batch.forEach(one -> one.kept = one.place);
    });

    @Test
    void a_caller_behind_more_than_a_batch_gets_its_own_result() throws Exception {
        Queue<String> others = new ConcurrentLinkedQueue<>();
        List<Thread> callers = IntStream.range(0, 100)
                .mapToObj(number -> Thread.ofPlatform()
                        .unstarted(() -> others.add(String.valueOf(batcher.add(insert("at-" + number))))))
                .toList();
        AtomicReference<@Nullable String> mine = new AtomicReference<>();
        batcher.exclusively(() -> {
            callers.forEach(Thread::start);
            await().until(() -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING));
            mine.set(batcher.add(insert("mine"))); // the 101st
        });
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(mine.get()).isEqualTo("mine");
        assertThat(others).hasSize(100).allMatch(place -> place.startsWith("at-"));
        assertThat(batches).containsExactly(100, 1);
    }

    private static PendingInsert insert(String place) {
        return new PendingInsert(
                ACME,
                new StoredArtifact(
                        ArtifactUri.random(WorkspaceId.DEFAULT),
                        null,
                        null,
                        null,
                        null,
                        "file",
                        "text/plain",
                        "a.txt",
                        1,
                        "00",
                        Instant.EPOCH),
                place,
                Long.MAX_VALUE);
    }
}
