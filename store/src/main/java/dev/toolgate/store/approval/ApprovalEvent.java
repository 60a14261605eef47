package dev.toolgate.store.approval;

import dev.toolgate.core.approval.ApprovalRequest;

/** Something that happened to a question. */
public record ApprovalEvent(Kind kind, ApprovalRequest request) {

    /** What can happen to a question. */
    public enum Kind {
        OPENED,
        ANSWERED
    }

    String id() {
        return request.id() + "-" + kind;
    }
}
