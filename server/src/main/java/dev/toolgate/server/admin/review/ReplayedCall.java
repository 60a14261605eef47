package dev.toolgate.server.admin.review;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.json.Json;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import tools.jackson.databind.node.ObjectNode;

/** The call that is currently replayed, and the time at which it was made. */
final class ReplayedCall extends Clock {
    private static final MaskedArguments NONE = new MaskedArguments(
            Json.MAPPER.createObjectNode(), Json.MAPPER.createObjectNode(), MaskedArguments.Completeness.WHOLE);

    private MaskedArguments arguments = NONE;
    private Instant madeAt = Instant.EPOCH;
    private Assumption assumption = Assumption.HOLDS;
    private boolean assumedSomething;

    /** What is assumed of conditions that the record cannot answer. */
    enum Assumption {
        HOLDS,
        FAILS
    }

    void is(MaskedArguments newArguments, Instant newMadeAt) {
        arguments = newArguments;
        madeAt = newMadeAt;
        assumedSomething = false;
    }

    void assume(Assumption newAssumption) {
        assumption = newAssumption;
    }

    MaskedArguments arguments() {
        return arguments;
    }

    /** The assumed value of a condition. */
    boolean assumed() {
        assumedSomething = true;
        return switch (assumption) {
            case HOLDS -> true;
            case FAILS -> false;
        };
    }

    /** Whether any condition of this call had to be assumed. */
    boolean hasAssumed() {
        return assumedSomething;
    }

    static Call with(Call call, String toolName, ObjectNode arguments) {
        return Call.of(call.caller(), toolName, arguments)
                .purpose(call.operation(), call.project())
                .from(call.context());
    }

    @Override
    public Instant instant() {
        return madeAt;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
