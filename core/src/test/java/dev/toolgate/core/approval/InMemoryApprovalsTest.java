package dev.toolgate.core.approval;

class InMemoryApprovalsTest extends ApprovalsContract {
    private final InMemoryApprovals approvals = new InMemoryApprovals();

    @Override
    protected Approvals approvals() {
        return approvals;
    }

    @Override
    protected ApprovalDesk desk() {
        return approvals;
    }
}
