package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.Moment;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a period. */
final class Period {
    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "From this time on: 1h (ago), 2026-01-31, 2026-01-31T18:00.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Before this time; same formats as --since.")
    private @Nullable String until;

    /** Adds the period to a request. */
    RequestTarget into(RequestTarget target) {
        return target.with("start_date", time(since)).with("end_date", time(until));
    }

    private static @Nullable Instant time(@Nullable String text) {
        if (text == null) {
            return null;
        }
        Clock clock = Clock.system(ZoneId.systemDefault());
        return text.matches("\\d+[smhd]") ? clock.instant().minus(Moment.duration(text)) : Moment.parse(text, clock);
    }
}
