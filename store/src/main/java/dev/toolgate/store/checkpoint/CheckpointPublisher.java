package dev.toolgate.store.checkpoint;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs the heads of chains at intervals and on close, and saves the checkpoints in every store. A store that fails
 * gets the newest checkpoint in the next round; no call waits for it.
 */
public final class CheckpointPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointPublisher.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final SigningKey key;
    private final List<Target> targets;
    private final Duration every;
    private final Source source;
    private final Clock clock;
    private final Map<UUID, Long> published = new HashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /** Supplies the current heads of chains. */
    public interface Source {
        /** The heads of all chains that may have grown; takes at most as long as a database query. */
        List<TreeHead> heads();

        /** Remembers that every store has a checkpoint of this head; false to be called again with it later. */
        boolean markPublished(TreeHead head);
    }

    /**
     * The state of a store.
     *
     * @param lastSaved when it last saved a checkpoint; {@code null} if it has not yet
     * @param failure why saving the last one failed; {@code null} if it did not
     */
    public record StoreState(
            String store,
            @Nullable Instant lastSaved,
            @Nullable String failure) {}

    private static final class Target {
        private final CheckpointStore store;
        private final Map<UUID, Long> sizes = new HashMap<>();
        private volatile StoreState state;

        Target(CheckpointStore store) {
            this.store = store;
            this.state = new StoreState(store.name(), null, null);
        }
    }

    /**
     * Starts in the background.
     *
     * @param targets closed together with this
     */
    public CheckpointPublisher(
            SigningKey key, List<CheckpointStore> targets, Duration every, Clock clock, Source source) {
        this.key = key;
        this.targets = targets.stream().map(Target::new).toList();
        this.every = every;
        this.clock = clock;
        this.source = source;
        this.thread = Thread.ofVirtual().name("toolgate-checkpoints").start(this::run);
    }

    private void run() {
        try {
            while (!closing.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
                publish();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Saves in every store what it does not have yet. */
    public synchronized void publish() {
        List<TreeHead> heads;
        try {
            heads = source.heads();
        } catch (RuntimeException unreachable) {
            LOG.debug("The heads of chains could not be read; retried later", unreachable);
            return;
        }
        for (TreeHead head : heads) {
            if (head.size() > published.getOrDefault(head.chain(), 0L)
                    && saveEverywhere(head)
                    && source.markPublished(head)) {
                published.put(head.chain(), head.size());
            }
        }
    }

    private boolean saveEverywhere(TreeHead head) {
        boolean everywhere = true;
        Checkpoint signed = null;
        for (Target target : targets) {
            if (target.sizes.getOrDefault(head.chain(), 0L) < head.size()) {
                signed = signed == null ? Checkpoint.sign(Checkpoint.Kind.HEAD, head, key) : signed;
                everywhere &= save(target, signed);
            }
        }
        return everywhere;
    }

    private boolean save(Target target, Checkpoint checkpoint) {
        try {
            target.store.save(checkpoint);
            if (target.state.failure() != null) {
                LOG.info("Checkpoints are saved again in {}", target.store.name());
            }
            target.state = new StoreState(target.store.name(), clock.instant(), null);
            if (checkpoint.kind() == Checkpoint.Kind.HEAD) {
                target.sizes.put(checkpoint.head().chain(), checkpoint.head().size());
            }
            return true;
        } catch (IOException | RuntimeException refused) {
            if (target.state.failure() == null) {
                LOG.warn(
                        "A checkpoint could not be saved in {} and is retried: {}",
                        target.store.name(),
                        refused.getMessage());
            }
            target.state =
                    new StoreState(target.store.name(), target.state.lastSaved(), String.valueOf(refused.getMessage()));
            return false;
        }
    }

    /**
     * Saves in every store that retention removes the records up to here.
     *
     * @throws IOException if one of them fails
     */
    public synchronized void publishPrune(TreeHead head) throws IOException {
        Checkpoint signed = Checkpoint.sign(Checkpoint.Kind.PRUNED, head, key);
        for (Target target : targets) {
            if (!save(target, signed)) {
                throw new IOException("The removal of records could not be saved in " + target.store.name() + ": "
                        + target.state.failure());
            }
        }
    }

    /** The state of each store. */
    public List<StoreState> states() {
        return targets.stream().map(target -> target.state).toList();
    }

    /** The public key that verifies its checkpoints. */
    public VerifierKey verifier() {
        return key.verifier();
    }

    /** Publishes a last time, and closes the stores. */
    @Override
    public void close() throws IOException {
        closing.countDown();
        Thread last = Thread.ofVirtual().name("toolgate-checkpoints-end").start(this::publish);
        try {
            if (!last.join(CLOSE_TIMEOUT)) {
                LOG.warn("The last checkpoint was not saved within the timeout; the next start publishes it");
                last.interrupt();
            }
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        for (Target target : targets) {
            target.store.close();
        }
    }
}
