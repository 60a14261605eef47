package dev.toolgate.store.audit.record;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The columns that have a value in at least one record of a batch. The others are left out of the batch's statement:
 * the database spends time on every column of every row, and most calls fill about half of them.
 *
 * @param bits bit n stands for column n of {@link AuditColumns#ALL}
 */
public record FilledColumns(long bits) {
    /** Every column. */
    public static final FilledColumns ALL = new FilledColumns((1L << AuditColumns.ALL.size()) - 1);

    public static FilledColumns of(List<RecordTexts> records) {
        long bits = 0;
        for (int column = 0; column < AuditColumns.ALL.size(); column++) {
            for (RecordTexts record : records) {
                if (record.get(column) != null) {
                    bits |= 1L << column;
                    break;
                }
            }
        }
        return new FilledColumns(bits);
    }

    /** Those of them that intents have too. */
    public FilledColumns ofIntents() {
        long common = 0;
        for (AuditColumn<?> column : AuditColumns.OF_INTENTS) {
            common |= bits & (1L << AuditColumns.ALL.indexOf(column));
        }
        return new FilledColumns(common);
    }

    /**
     * Whether a column is one of them.
     *
     * @param column its index in {@link AuditColumns#ALL}
     */
    boolean contains(int column) {
        return (bits >> column & 1) == 1;
    }

    public List<AuditColumn<?>> columns() {
        return IntStream.range(0, AuditColumns.ALL.size())
                .filter(this::contains)
                .<AuditColumn<?>>mapToObj(AuditColumns.ALL::get)
                .toList();
    }
}
