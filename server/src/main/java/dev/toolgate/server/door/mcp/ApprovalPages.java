package dev.toolgate.server.door.mcp;

import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.gate.CallRequest;
import java.util.Map;

/**
 * Takes the person at the client to the console, where a held call is shown to whoever is logged in there and may answer it.
 * What the client says to that counts for nothing: the answer is given on the page.
 */
final class ApprovalPages {
    private static final String KEY = "approval";
    private static final String PAGE = "/console/approvals?id=";

    private final PublicAddress address;

    ApprovalPages(PublicAddress address) {
        this.address = address;
    }

    /** Whether the client shows addresses, and the gate has one. */
    boolean canAsk(RequestContext context) {
        return context.canAsk(InputRequest.Kind.ELICIT_URL) && address.of(PAGE).isPresent();
    }

    /** The address of a held call; none if the gate has no address. */
    Map<String, InputRequest> page(CallRequest request, Answer.Held held) {
        return address.of(PAGE + held.question())
                .map(page -> Map.of(
                        KEY,
                        InputRequest.url(
                                "A person must approve the call of tool '" + request.toolName() + "': " + held.reason()
                                        + ".",
                                page.toString())))
                .orElse(Map.of());
    }
}
