package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.ChainEntry;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Two kinds of entries, each in the order of the database, as one sequence in that order. */
public final class InChainOrder implements Iterator<ChainEntry> {
    // As the database compares identifiers; Java's own order takes the halves for signed numbers.
    private static final Comparator<UUID> BYTE_BY_BYTE = (one, two) -> {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), two.getMostSignificantBits());
        return high == 0 ? Long.compareUnsigned(one.getLeastSignificantBits(), two.getLeastSignificantBits()) : high;
    };
    private static final Comparator<ChainEntry> ORDER = Comparator.<ChainEntry, UUID>comparing(
                    entry -> entry.link().instanceId(), BYTE_BY_BYTE)
            .thenComparingLong(entry -> entry.link().sequence());

    private final Iterator<? extends ChainEntry> records;
    private final Iterator<? extends ChainEntry> anchors;
    private @Nullable ChainEntry nextRecord;
    private @Nullable ChainEntry nextAnchor;

    public InChainOrder(Iterator<? extends ChainEntry> records, Iterator<? extends ChainEntry> anchors) {
        this.records = records;
        this.anchors = anchors;
        nextRecord = next(records);
        nextAnchor = next(anchors);
    }

    @Override
    public boolean hasNext() {
        return nextRecord != null || nextAnchor != null;
    }

    @Override
    public ChainEntry next() {
        ChainEntry record = nextRecord;
        ChainEntry anchor = nextAnchor;
        if (record != null && (anchor == null || ORDER.compare(record, anchor) <= 0)) {
            nextRecord = nextOther(record);
            return record;
        }
        if (anchor == null) {
            throw new NoSuchElementException();
        }
        nextAnchor = next(anchors);
        return anchor;
    }

    // A record that is being moved from its month to the table beside the months is found in both.
    private @Nullable ChainEntry nextOther(ChainEntry than) {
        ChainEntry found = next(records);
        return than.equals(found) ? next(records) : found;
    }

    private static @Nullable ChainEntry next(Iterator<? extends ChainEntry> source) {
        return source.hasNext() ? source.next() : null;
    }
}
