package dev.toolgate.store.audit.query;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A follower's position in each chain, as text: {@code 9;3=120,10=4} if every chain up to number 9
 * was read completely, except number 3. Its length depends on the number of open chains, not of all chains.
 */
final class FollowerCursor {
    private final Map<Integer, Long> sequences = new TreeMap<>();
    private int finished;

    private FollowerCursor(int finished) {
        this.finished = finished;
    }

    static FollowerCursor parse(@Nullable String cursor) {
        if (cursor == null) {
            return new FollowerCursor(0);
        }
        try {
            String[] parts = cursor.split(";", -1);
            FollowerCursor position = new FollowerCursor(Integer.parseInt(parts[0]));
            for (String chain : parts[1].isEmpty() ? new String[0] : parts[1].split(",", -1)) {
                int equals = chain.indexOf('=');
                position.sequences.put(
                        Integer.parseInt(chain.substring(0, equals)), Long.parseLong(chain.substring(equals + 1)));
            }
            return position;
        } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
            throw new IllegalArgumentException("The audit cursor is invalid; start without one.", malformed);
        }
    }

    /** Every chain up to this number was read completely, except those that are unfinished. */
    int finished() {
        return finished;
    }

    /** The last sequence that was read of a chain. */
    long sequenceOf(int chain) {
        return sequences.getOrDefault(chain, 0L);
    }

    /** A chain has been read this far. */
    void readUpTo(int chain, long sequence) {
        sequences.put(chain, sequence);
    }

    /** Chains that were read in part, or may still grow. */
    Set<Integer> unfinished() {
        return Set.copyOf(sequences.keySet());
    }

    /** Removes unfinished chains that no longer exist. */
    void retain(Collection<Integer> chains) {
        sequences.keySet().retainAll(chains);
    }

    /** A chain has ended and was read completely. Chains must be read in the order of their numbers. */
    void finish(int chain) {
        sequences.remove(chain);
        finished = Math.max(finished, chain);
    }

    @Override
    public String toString() {
        return finished + ";"
                + sequences.entrySet().stream()
                        .map(chain -> chain.getKey() + "=" + chain.getValue())
                        .collect(Collectors.joining(","));
    }
}
