package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals.Answer;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;

/** Continues held calls. */
public interface HeldCallResumer {
    /** Continues no calls. */
    HeldCallResumer NONE = new HeldCallResumer() {
        @Override
        public int capacity() {
            return 0;
        }

        @Override
        public void resume(Call call, HeldQuestion question, Answer answer) {
            throw new IllegalStateException("This resumer has no capacity.");
        }

        @Override
        public void interrupted(Call call, HeldQuestion question) {
            throw new IllegalStateException("This resumer has no capacity.");
        }
    };

    /** How many calls it can accept now. */
    int capacity();

    /** Continues an answered call in the background. */
    void resume(Call call, HeldQuestion question, Answer answer);

    /** Records, in the background, a call as interrupted that a dead instance had started; it must not run again. */
    void interrupted(Call call, HeldQuestion question);
}
