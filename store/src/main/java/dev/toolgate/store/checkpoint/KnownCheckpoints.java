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

/** Checkpoints that trusted keys have signed, as a verifier compares chains with them. */
public final class KnownCheckpoints {
    private final List<VerifierKey> keys;
    private final Map<UUID, NavigableMap<Long, String>> heads = new HashMap<>();
    private final Map<UUID, NavigableMap<Long, String>> pruned = new HashMap<>();
    private final List<Checkpoint> untrusted = new ArrayList<>();
    private final List<TreeHead> contradictions = new ArrayList<>();
    private long number;

    /** None so far. */
    public KnownCheckpoints(Collection<VerifierKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Nothing to compare with. */
    public static KnownCheckpoints none() {
        return new KnownCheckpoints(List.of());
    }

    /** Adds one, or remembers that nobody trusted has signed it. */
    public void add(Checkpoint checkpoint) {
        if (!checkpoint.isSignedBy(keys)) {
            untrusted.add(checkpoint);
            return;
        }
        number++;
        TreeHead head = checkpoint.head();
        Map<UUID, NavigableMap<Long, String>> kind = checkpoint.kind() == Checkpoint.Kind.HEAD ? heads : pruned;
        String former = kind.computeIfAbsent(head.chain(), _ -> new TreeMap<>()).putIfAbsent(head.size(), head.root());
        if (former != null && !former.equals(head.root())) {
            contradictions.add(head);
        }
    }

    /** How many there are. */
    public long number() {
        return number;
    }

    /** The chains they are of. */
    public Set<UUID> chains() {
        return Collections.unmodifiableSet(heads.keySet());
    }

    /** By size, the roots of a chain. */
    public NavigableMap<Long, String> of(UUID chain) {
        return Collections.unmodifiableNavigableMap(heads.getOrDefault(chain, Collections.emptyNavigableMap()));
    }

    /** The root over what retention has said to remove up to a size; {@code null} if it has not. */
    public @Nullable String prunedRoot(UUID chain, long size) {
        return pruned.getOrDefault(chain, Collections.emptyNavigableMap()).get(size);
    }

    /** Those that nobody trusted has signed. */
    public List<Checkpoint> untrusted() {
        return List.copyOf(untrusted);
    }

    /** Where two checkpoints of one size have different roots. */
    public List<TreeHead> contradictions() {
        return List.copyOf(contradictions);
    }
}
