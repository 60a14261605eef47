package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the calls that it should continue. */
record RecordingResumer(List<Call> resumed, List<Call> interrupted) implements HeldCallResumer {
    RecordingResumer(List<Call> resumed) {
        this(resumed, new CopyOnWriteArrayList<>());
    }

    @Override
    public int capacity() {
        return 4;
    }

    @Override
    public void resume(Call call, HeldQuestion question, Approvals.Answer answer) {
        if (answer.verdict() != Approvals.Verdict.APPROVED || question.claim()) {
            resumed.add(call);
            question.ended();
        }
    }

    @Override
    public void interrupted(Call call, HeldQuestion question) {
        interrupted.add(call);
        question.ended();
    }
}
