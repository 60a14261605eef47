package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.WrongUsage;
import java.util.Locale;

/** As what audit records are exported. */
enum ExportFormat {
    CSV,
    JSONL,
    CHAINS;

    /** Where a server gives out such an export; the chains are always whole. */
    RequestTarget target(AuditFilters filters) {
        return switch (this) {
            case CSV, JSONL ->
                filters.into(RequestTarget.api("audit", "export").with("format", name().toLowerCase(Locale.ROOT)));
            case CHAINS -> {
                RequestTarget chains = RequestTarget.api("audit", "chains");
                if (!filters.into(chains).equals(chains)) {
                    throw new WrongUsage(
                            "an export of chains has every record, so that it can be verified; leave out the filters");
                }
                yield chains;
            }
        };
    }
}
