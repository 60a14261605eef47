package dev.toolgate.store.audit.retention;

import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A month of records, stored in its own partition. */
record Month(YearMonth month) implements Comparable<Month> {
    private static final Pattern TABLE = Pattern.compile("tool_audit_logs_(\\d{4}_\\d{2})");
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("uuuu_MM");

    /** The month of a partition; empty if the table is not one. */
    static Optional<Month> of(String table) {
        Matcher name = TABLE.matcher(table);
        return name.matches() ? Optional.of(new Month(YearMonth.parse(name.group(1), NAME))) : Optional.empty();
    }

    /** The name of its table. */
    String partition() {
        return "tool_audit_logs_" + month.format(NAME);
    }

    /** The end of the month, exclusive. */
    OffsetDateTime end() {
        return month.plusMonths(1).atDay(1).atStartOfDay().atOffset(ZoneOffset.UTC);
    }

    @Override
    public int compareTo(Month other) {
        return month.compareTo(other.month);
    }

    @Override
    public String toString() {
        return month.toString();
    }
}
