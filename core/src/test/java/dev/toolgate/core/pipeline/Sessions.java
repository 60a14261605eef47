package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Gate.ALICE;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Calls in sessions, and policy bundles. */
final class Sessions {
    private Sessions() {}

    static Call inSession(SessionId session) {
        Call call = Gate.call("echo", Map.of("text", "hi"));
        return Call.of(ALICE.in(session), "echo", call.arguments());
    }

    static PolicyBundle bundle(SessionId session, Instant expires, CapabilityGrant capability) {
        return PolicyBundle.of("1", "1.0", ALICE.tenant(), "user", session, expires, List.of(capability));
    }
}
