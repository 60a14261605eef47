package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalRequest;
import java.util.ArrayList;
import java.util.List;

/** Something that happened to a question. */
public record ApprovalEvent(Kind kind, ApprovalRequest request) {

    /** What can happen to a question. */
    public enum Kind {
        OPENED,
        ANSWERED
    }

    /**
     * What happened to a question lately.
     *
     * @param isNew whether it was asked lately
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
