package dev.toolgate.store.audit;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How far a follower has come in each chain, as a text it can keep: {@code 7;8=120,9=4}. */
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

    /** Every chain up to this number has been read to its end. */
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

    /** A chain has been read and nothing will be added to it; it is forgotten once all before it are. */
    void readToTheEnd(int chain) {
        if (sequences.keySet().iterator().next() == chain) {
            sequences.remove(chain);
            finished = chain;
        }
    }

    @Override
    public String toString() {
        return finished + ";"
                + sequences.entrySet().stream()
                        .map(chain -> chain.getKey() + "=" + chain.getValue())
                        .collect(Collectors.joining(","));
    }
}
