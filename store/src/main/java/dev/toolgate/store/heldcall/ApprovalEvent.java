package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalRequest;
import java.util.ArrayList;
import java.util.List;

/** An event of an approval request. */
public record ApprovalEvent(Kind kind, ApprovalRequest request) {

    /** The kind of event. */
    public enum Kind {
        OPENED,
        ANSWERED
    }

    /**
     * The recent events of a request.
     *
     * @param isNew whether it was opened recently
     */
    static List<ApprovalEvent> of(ApprovalRequest request, boolean isNew) {
        List<ApprovalEvent> events = new ArrayList<>(2);
        if (isNew) {
            events.add(new ApprovalEvent(Kind.OPENED, request));
        }
        if (request.answer() != null) {
            events.add(new ApprovalEvent(Kind.ANSWERED, request));
        }
        return events;
    }

    String id() {
        return request.id() + "-" + kind;
    }
}
