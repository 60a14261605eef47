package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.WrongUsage;
import java.util.Locale;

/** The format of an export. */
enum ExportFormat {
    CSV,
    JSONL,
    CHAINS;

    /** The request for such an export; chains cannot be filtered. */
    RequestTarget target(AuditFilters filters) {
        return switch (this) {
            case CSV, JSONL ->
                filters.into(RequestTarget.api("audit", "export").with("format", name().toLowerCase(Locale.ROOT)));
            case CHAINS -> {
                RequestTarget chains = RequestTarget.api("audit", "chains");
                if (!filters.into(chains).equals(chains)) {
                    throw new WrongUsage(
                            "an export of chains needs every record to be verifiable; leave out the filters");
                }
                yield chains;
            }
        };
    }
}
