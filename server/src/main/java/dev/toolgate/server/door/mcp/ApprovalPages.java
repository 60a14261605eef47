package dev.toolgate.server.door.mcp;

import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.gate.CallRequest;
import java.util.Map;

/**
 * Sends the user of the client to the console, where a logged-in person who may approve calls can answer the approval
 * request. The client's own response is ignored: the answer is given on the page.
 */
final class ApprovalPages {
    private static final String KEY = "approval";
    private static final String PAGE = "/console/approvals?id=";

    private final PublicAddress address;

    ApprovalPages(PublicAddress address) {
        this.address = address;
    }

    /** Whether the client can open URLs and the gate has a public address. */
    boolean canAsk(RequestContext context) {
        return context.canAsk(InputRequest.Kind.ELICIT_URL) && address.of(PAGE).isPresent();
    }

    /** The request to open the page of a held call; empty if the gate has no public address. */
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
