package dev.toolgate.server.admin.review;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.store.audit.query.RecordedCalls;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a draft would change about recorded calls.
 *
 * @param version the version of the permissions that the draft was compared with
 * @param replayed how many calls were decided again
 * @param unknown calls whose record lacks what the decision depends on
 * @param exclusions {@code not_looked_at} in the published API
 */
record SimulationAnswer(
        long version,
        Instant since,
        int replayed,
        int unchanged,
        Comparison.Group newlyDenied,
        Comparison.Group newlyAllowed,
        Comparison.Group newlyHeld,
        Comparison.Group unknown,
        @JsonProperty("not_looked_at") Exclusions exclusions) {
    /**
     * What was left out.
     *
     * @param before calls before this time were not read; {@code null} if all were read since the requested time
     * @param why why they were not read
     * @param after calls after this time were not replayed because of the time limit; {@code null} if all were
     * @param callsWithoutTool calls of tools that do not exist any more
     * @param rules rules that are not replayed, because records lack what they depend on
     */
    record Exclusions(
            @Nullable Instant before,
            @Nullable String why,
            @Nullable Instant after,
            int callsWithoutTool,
            List<String> rules) {}

    private static final List<String> NOT_RECORDED = List.of("rate limits", "scope", "trust");

    static SimulationAnswer of(
            long version,
            Simulation.Trial trial,
            RecordedCalls.Found found,
            List<RecordedCalls.Recorded> calls,
            int replayed,
            Comparison comparison) {
        Instant oldest = found.cut() == RecordedCalls.Cut.NONE
                ? null
                : found.calls().isEmpty()
                        ? trial.now()
                        : found.calls().getLast().timestamp();
        return new SimulationAnswer(
                version,
                trial.since(),
                replayed,
                comparison.unchanged(),
                comparison.newlyDenied(),
                comparison.newlyAllowed(),
                comparison.newlyHeld(),
                comparison.notKnown(),
                new Exclusions(
                        oldest,
                        found.cut() == RecordedCalls.Cut.NONE
                                ? null
                                : found.cut().name().toLowerCase(Locale.ROOT),
                        replayed == calls.size() || replayed == 0
                                ? null
                                : calls.get(replayed - 1).timestamp(),
                        comparison.callsWithoutTool(),
                        NOT_RECORDED));
    }
}
