package dev.toolgate.store.audit.query;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far a follower has come in each chain, as a text it can keep: {@code 9;3=120,10=4} when every chain up to number 9
 * was read to its end, except number 3. Its length depends on the chains that are open, not on those there have been.
 */
final class FollowedChains {
    private final Map<Integer, Long> sequences = new TreeMap<>();
    private int finished;

    private FollowedChains(int finished) {
        this.finished = finished;
    }

    static FollowedChains parse(@Nullable String cursor) {
        if (cursor == null) {
            return new FollowedChains(0);
        }
        try {
            String[] parts = cursor.split(";", -1);
            FollowedChains place = new FollowedChains(Integer.parseInt(parts[0]));
            for (String chain : parts[1].isEmpty() ? new String[0] : parts[1].split(",", -1)) {
                int equals = chain.indexOf('=');
                place.sequences.put(
                        Integer.parseInt(chain.substring(0, equals)), Long.parseLong(chain.substring(equals + 1)));
            }
            return place;
        } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
            throw new IllegalArgumentException("The cursor is not one of the audit log.", malformed);
        }
    }

    /** Every chain up to this number has been read to its end, except those that are unfinished. */
    int finished() {
        return finished;
    }

    /** The last sequence that was read of a chain. */
    long in(int chain) {
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

    /** These are all that is left of the unfinished chains; the others are known no more. */
    void retain(Collection<Integer> chains) {
        sequences.keySet().retainAll(chains);
    }

    /** A chain has been read and nothing will be added to it. Those with smaller numbers were read before. */
    void readToTheEnd(int chain) {
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
