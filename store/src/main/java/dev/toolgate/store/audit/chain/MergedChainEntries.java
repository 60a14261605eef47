package dev.toolgate.store.audit.chain;

import dev.toolgate.store.audit.record.ChainEntry;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Merges records and anchors, both sorted by chain and sequence, into one sequence. */
public final class MergedChainEntries implements Iterator<ChainEntry> {
    // The database compares UUIDs byte by byte; UUID.compareTo compares the halves as signed numbers.
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

    public MergedChainEntries(Iterator<? extends ChainEntry> records, Iterator<? extends ChainEntry> anchors) {
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

    // A record that is being moved out of its partition is found in both tables.
    private @Nullable ChainEntry nextOther(ChainEntry than) {
        ChainEntry found = next(records);
        return than.equals(found) ? next(records) : found;
    }

    private static @Nullable ChainEntry next(Iterator<? extends ChainEntry> source) {
        return source.hasNext() ? source.next() : null;
    }
}
