package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.chain.RecentChains;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far a feed has read every chain. As text it is the id of an event, from which any instance can continue:
 * {@code 1767225600000000;<chain>=120,<chain>=4}.
 *
 * @param recent chains that are not listed and ended before were read completely; the others were not read at all
 * @param sequences the last sequence that was read of each chain
 */
record FeedPosition(RecentChains recent, Map<UUID, Long> sequences) {
    static final int MAX_TEXT = 4000;
    private static final long MICROS_PER_SECOND = 1_000_000;

    FeedPosition {
        sequences = Map.copyOf(sequences);
    }

    /** Reads {@link #toString}; throws {@link IllegalArgumentException} for anything else. */
    static FeedPosition parse(String text) {
        int semicolon = text.indexOf(';');
        if (text.length() > MAX_TEXT || semicolon < 0) {
            throw malformed(null);
        }
        try {
            long micros = Long.parseLong(text.substring(0, semicolon));
            Instant since = Instant.EPOCH.plus(Math.max(micros, 0), ChronoUnit.MICROS);
            Map<UUID, Long> sequences = new HashMap<>();
            String chains = text.substring(semicolon + 1);
            for (String chain : chains.isEmpty() ? new String[0] : chains.split(",", -1)) {
                int equals = chain.indexOf('=');
                sequences.put(UUID.fromString(chain.substring(0, equals)), Long.parseLong(chain.substring(equals + 1)));
            }
            return new FeedPosition(new RecentChains(since.atOffset(ZoneOffset.UTC)), sequences);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException | ArithmeticException no) {
            throw malformed(no);
        }
    }

    private static IllegalArgumentException malformed(@Nullable Exception cause) {
        return new IllegalArgumentException("The position is not the id of an event; start without one.", cause);
    }

    long sequenceOf(UUID chain) {
        return sequences.getOrDefault(chain, 0L);
    }

    /** The same, with one chain read up to a sequence. */
    FeedPosition with(UUID chain, long sequence) {
        Map<UUID, Long> changed = new HashMap<>(sequences);
        changed.put(chain, sequence);
        return new FeedPosition(recent, changed);
    }

    /** The union of two positions: everything that was read at either. */
    FeedPosition or(FeedPosition other) {
        Map<UUID, Long> furthest = new HashMap<>(sequences);
        other.sequences.forEach((chain, sequence) -> furthest.merge(chain, sequence, Math::max));
        return new FeedPosition(recent.since().isBefore(other.recent.since()) ? recent : other.recent, furthest);
    }

    @Override
    public String toString() {
        OffsetDateTime since = recent.since();
        long micros = since.equals(OffsetDateTime.MIN)
                ? 0
                : since.toEpochSecond() * MICROS_PER_SECOND + since.getNano() / 1000;
        return micros + ";"
                + new TreeMap<>(sequences)
                        .entrySet().stream()
                                .map(chain -> chain.getKey() + "=" + chain.getValue())
                                .collect(Collectors.joining(","));
    }
}
