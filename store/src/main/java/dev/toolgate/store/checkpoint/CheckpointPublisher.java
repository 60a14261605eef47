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
 * Signs where chains end, again and again and when it is closed, and has that kept in every place. A place that does
 * not take a checkpoint is offered the newest one with the next round; nobody waits for it.
 */
public final class CheckpointPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointPublisher.class);
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    private final SigningKey key;
    private final List<Kept> places;
    private final Duration every;
    private final Source source;
    private final Clock clock;
    private final Map<UUID, Long> noted = new HashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /** Where chains end now. */
    public interface Source {
        /** Of every chain that may have grown; takes as long as a question to the database at most. */
        List<TreeHead> heads();

        /** Takes note that every place has a checkpoint of this; false if it cannot now, and then it is told again. */
        boolean isNoted(TreeHead head);
    }

    /**
     * How a place does.
     *
     * @param lastKept when it kept something; {@code null} if it has not yet
     * @param failure why it did not take the last one; {@code null} if it did
     */
    public record PlaceState(
            String place,
            @Nullable Instant lastKept,
            @Nullable String failure) {}

    private static final class Kept {
        private final CheckpointPlace place;
        private final Map<UUID, Long> sizes = new HashMap<>();
        private volatile PlaceState state;

        Kept(CheckpointPlace place) {
            this.place = place;
            this.state = new PlaceState(place.name(), null, null);
        }
    }

    /**
     * Begins in the background.
     *
     * @param places closed with this
     */
    public CheckpointPublisher(
            SigningKey key, List<CheckpointPlace> places, Duration every, Clock clock, Source source) {
        this.key = key;
        this.places = places.stream().map(Kept::new).toList();
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
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has every place keep what it does not have yet. */
    public synchronized void publish() {
        List<TreeHead> heads;
        try {
            heads = source.heads();
        } catch (RuntimeException unreachable) {
            LOG.debug("Where chains end is not known now", unreachable);
            return;
        }
        for (TreeHead head : heads) {
            if (head.size() > noted.getOrDefault(head.chain(), 0L) && isKeptEverywhere(head) && source.isNoted(head)) {
                noted.put(head.chain(), head.size());
            }
        }
    }

    private boolean isKeptEverywhere(TreeHead head) {
        boolean everywhere = true;
        Checkpoint signed = null;
        for (Kept kept : places) {
            if (kept.sizes.getOrDefault(head.chain(), 0L) < head.size()) {
                signed = signed == null ? Checkpoint.sign(Checkpoint.Kind.HEAD, head, key) : signed;
                everywhere &= isKept(kept, signed);
            }
        }
        return everywhere;
    }

    private boolean isKept(Kept kept, Checkpoint checkpoint) {
        try {
            kept.place.keep(checkpoint);
            if (kept.state.failure() != null) {
                LOG.info("Checkpoints are kept again in {}", kept.place.name());
            }
            kept.state = new PlaceState(kept.place.name(), clock.instant(), null);
            if (checkpoint.kind() == Checkpoint.Kind.HEAD) {
                kept.sizes.put(checkpoint.head().chain(), checkpoint.head().size());
            }
            return true;
        } catch (IOException | RuntimeException refused) {
            if (kept.state.failure() == null) {
                LOG.warn(
                        "A checkpoint could not be kept in {} and is offered again: {}",
                        kept.place.name(),
                        refused.getMessage());
            }
            kept.state = new PlaceState(kept.place.name(), kept.state.lastKept(), String.valueOf(refused.getMessage()));
            return false;
        }
    }

    /**
     * Has every place keep that retention removes the records up to here.
     *
     * @throws IOException if one of them does not
     */
    public synchronized void going(TreeHead head) throws IOException {
        Checkpoint signed = Checkpoint.sign(Checkpoint.Kind.PRUNED, head, key);
        for (Kept kept : places) {
            if (!isKept(kept, signed)) {
                throw new IOException("The removal of records could not be put on record in " + kept.place.name() + ": "
                        + kept.state.failure());
            }
        }
    }

    /** How each place does. */
    public List<PlaceState> states() {
        return places.stream().map(kept -> kept.state).toList();
    }

    /** What others check its checkpoints with. */
    public VerifierKey verifier() {
        return key.verifier();
    }

    /** Signs where chains end for a last time. */
    @Override
    public void close() throws IOException {
        closing.countDown();
        Thread last = Thread.ofVirtual().name("toolgate-checkpoints-end").start(this::publish);
        try {
            if (!last.join(LONGEST_END)) {
                LOG.warn("The last checkpoint was not taken in time; the next start signs it");
                last.interrupt();
            }
            thread.join(LONGEST_END);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        for (Kept kept : places) {
            kept.place.close();
        }
    }
}
