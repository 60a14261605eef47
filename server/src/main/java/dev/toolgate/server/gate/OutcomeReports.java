package dev.toolgate.server.gate;

import dev.toolgate.core.audit.Permits;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.pipeline.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes the outcomes of calls that their callers ran with a permit. A principal that may act as an agent may report for
 * it.
 */
public final class OutcomeReports {
    private final Gate gate;
    private final Permits permits;

    public OutcomeReports(Gate gate, Permits permits) {
        this.gate = gate;
        this.permits = permits;
    }

    /** The result of a report. */
    public sealed interface Result {
        /** The outcome was recorded. */
        record Recorded(Answer answer) implements Result {}

        /** The outcome was reported before; the first report stays. */
        record ReportedBefore(AgentId agent) implements Result {}

        /** The permit had expired; the call is recorded as interrupted. */
        record TooLate(Instant expiredAt) implements Result {}

        /** The principal has no such permit. */
        record NoPermit() implements Result {}

        /** Several agents have a permit with this request id. */
        record Several() implements Result {}
    }

    /** Whether a principal may report outcomes at all. */
    public static boolean mayReport(Principal principal) {
        return principal.may(Right.CALL_AS_ITSELF) || principal.may(Right.CALL_FOR_ANY_AGENT);
    }

    /**
     * Reports an outcome.
     *
     * @param wanted the agent whose permit it is; {@code null} for any agent
     * @param took how long the tool ran, if the caller says
     */
    public Result report(
            Principal principal,
            RequestId request,
            @Nullable AgentId wanted,
            Outcome outcome,
            @Nullable Duration took) {
        List<Permits.Found> own = find(principal, request, wanted);
        return switch (own.size()) {
            case 0 -> new Result.NoPermit();
            case 1 -> report(principal, request, own.getFirst(), outcome, took);
            default -> new Result.Several();
        };
    }

    private Result report(
            Principal principal, RequestId request, Permits.Found found, Outcome outcome, @Nullable Duration took) {
        if (!(found instanceof Permits.Found.Open open)) {
            return ended(found);
        }
        Optional<Answer> answer = gate.report(open.permit(), outcome, took);
        return answer.<Result>map(Result.Recorded::new).orElseGet(() -> find(principal, request, found.agent()).stream()
                .findFirst()
                .map(OutcomeReports::ended)
                .orElseGet(Result.NoPermit::new));
    }

    private List<Permits.Found> find(Principal principal, RequestId request, @Nullable AgentId wanted) {
        return permits.find(principal.tenant(), request, wanted).stream()
                .filter(found -> Callers.objection(principal, found.agent()).isEmpty())
                .toList();
    }

    private static Result ended(Permits.Found found) {
        return switch (found) {
            case Permits.Found.Expired expired -> new Result.TooLate(expired.at());
            case Permits.Found.Open open -> new Result.TooLate(open.permit().until());
            case Permits.Found.Reported reported -> new Result.ReportedBefore(reported.agent());
        };
    }
}
