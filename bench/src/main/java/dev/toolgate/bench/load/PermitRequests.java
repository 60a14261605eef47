package dev.toolgate.bench.load;

import java.nio.ByteBuffer;
import java.util.List;

/** Asks for a permit, then reports its outcome, again and again. */
final class PermitRequests implements RequestSequence {
    private static final String TOOL = "runs-elsewhere";

    private final RequestBytes authorize;
    private final RequestBytes outcome;
    private long permitted;

    PermitRequests(Rig rig) {
        authorize = rig.request(
                "/api/v1/tools/authorize",
                "{\"request_id\":\"" + RequestBytes.FRESH + "\",\"agent_id\":\"AGENT\",\"tool_name\":\"" + TOOL
                        + "\",\"operation\":\"execute\",\"parameters\":{\"text\":\"hello\"}}");
        outcome = rig.request(
                "/api/v1/calls/" + RequestBytes.FRESH + "/outcome", "{\"status\":\"succeeded\",\"output\":\"hello\"}");
    }

    /** The agent needs a grant for the tool, as for any other. */
    static void grant(Rig rig) {
        rig.grant(List.of(TOOL));
    }

    @Override
    public ByteBuffer next() {
        if (permitted == 0) {
            permitted = RequestBytes.newId();
            return authorize.withId(permitted);
        }
        ByteBuffer report = outcome.withId(permitted);
        permitted = 0;
        return report;
    }
}
