package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals.Answer;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;

/** Goes on with calls that were held. */
public interface Resumption {
    /** Goes on with none. */
    Resumption NONE = new Resumption() {
        @Override
        public int room() {
            return 0;
        }

        @Override
        public void resume(Call call, HeldQuestion question, Answer answer) {
            throw new IllegalStateException("There is no room.");
        }

        @Override
        public void interrupted(Call call, HeldQuestion question) {
            throw new IllegalStateException("There is no room.");
        }
    };

    /** How many calls it can take on now. */
    int room();

    /** Takes on a call whose question is answered; returns at once. */
    void resume(Call call, HeldQuestion question, Answer answer);

    /** Takes on a call that somebody had begun who is no more; it must not run again. Returns at once. */
    void interrupted(Call call, HeldQuestion question);
}
