package dev.toolgate.core.memory;

import dev.toolgate.core.port.ApprovalDesk;
import dev.toolgate.core.port.Approvals;
import dev.toolgate.core.port.ApprovalsContract;

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
