package dev.toolgate.store.checkpoint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checkpoints signed by trusted keys, for verification. */
public final class KnownCheckpoints {
    private final List<VerifierKey> keys;
    private final Map<UUID, NavigableMap<Long, String>> heads = new HashMap<>();
    private final Map<UUID, NavigableMap<Long, String>> pruned = new HashMap<>();
    private final List<Checkpoint> untrusted = new ArrayList<>();
    private final List<TreeHead> contradictions = new ArrayList<>();
    private long count;

    /** Starts empty, and trusts these keys. */
    public KnownCheckpoints(Collection<VerifierKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** No checkpoints. */
    public static KnownCheckpoints none() {
        return new KnownCheckpoints(List.of());
    }

    /** Adds a checkpoint, as untrusted if no trusted key has signed it. */
    public void add(Checkpoint checkpoint) {
        if (!checkpoint.isSignedBy(keys)) {
            untrusted.add(checkpoint);
            return;
        }
        count++;
        TreeHead head = checkpoint.head();
        Map<UUID, NavigableMap<Long, String>> kind = checkpoint.kind() == Checkpoint.Kind.HEAD ? heads : pruned;
        String former = kind.computeIfAbsent(head.chain(), _ -> new TreeMap<>()).putIfAbsent(head.size(), head.root());
        if (former != null && !former.equals(head.root())) {
            contradictions.add(head);
        }
    }

    /** The number of trusted checkpoints. */
    public long count() {
        return count;
    }

    /** The chains that have checkpoints. */
    public Set<UUID> chains() {
        return Collections.unmodifiableSet(heads.keySet());
    }

    /** The roots of a chain by size. */
    public NavigableMap<Long, String> roots(UUID chain) {
        return Collections.unmodifiableNavigableMap(heads.getOrDefault(chain, Collections.emptyNavigableMap()));
    }

    /** The signed root of the records that retention removed up to a size; {@code null} if there is none. */
    public @Nullable String prunedRoot(UUID chain, long size) {
        return pruned.getOrDefault(chain, Collections.emptyNavigableMap()).get(size);
    }

    /** Checkpoints without a trusted signature. */
    public List<Checkpoint> untrusted() {
        return List.copyOf(untrusted);
    }

    /** Checkpoints that have the same size as another one but a different root. */
    public List<TreeHead> contradictions() {
        return List.copyOf(contradictions);
    }
}
