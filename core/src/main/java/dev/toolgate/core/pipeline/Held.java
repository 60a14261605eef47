package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import org.jspecify.annotations.Nullable;

/** A call that needs a person's yes. */
sealed interface Held {

    /** What came back; {@code null} while nobody has answered. */
    Approvals.@Nullable Answer answer();

    /** There is no question: a standing approval covers the call, or there is nobody to ask. */
    record Settled(Approvals.Answer answer) implements Held {}

    /** There is a stored question. Belongs to one thread; each part is written once. */
    final class Asked implements Held {
        private final HeldQuestion question;
        private final Origin origin;
        private Approvals.@Nullable Answer answer;
        private boolean claimed;

        /** How the call came to its question. */
        enum Origin {
            /** This call asked it, or joined an equal call that had. */
            ASKED,
            /** An earlier run of this call asked it, and this one goes on with the answer without a caller. */
            RESUMED
        }

        private Asked(HeldQuestion question, Origin origin, Approvals.@Nullable Answer answer) {
            this.question = question;
            this.origin = origin;
            this.answer = answer;
        }

        /** A call that waits for the answer to its question. */
        static Asked waiting(HeldQuestion question) {
            return new Asked(question, Origin.ASKED, null);
        }

        /** A call that was held before, and goes on with the answer that was given meanwhile. */
        static Asked resumed(HeldQuestion question, Approvals.Answer answer) {
            return new Asked(question, Origin.RESUMED, answer);
        }

        HeldQuestion question() {
            return question;
        }

        @Override
        public Approvals.@Nullable Answer answer() {
            return answer;
        }

        boolean isResumed() {
            return origin == Origin.RESUMED;
        }

        /** The answer has come. */
        void answered(Approvals.Answer newAnswer) {
            answer = newAnswer;
        }

        /** Takes the yes for this call alone; false if another has it. */
        boolean claim() {
            claimed = question.claim();
            return claimed;
        }

        /** The call is not wanted any more. */
        void withdraw() {
            question.withdraw();
        }

        /** The same, for a call that nobody comes back for: it is given back if its end cannot be put on record now. */
        void withdrawForGood() {
            question.withdraw();
            claimed = true;
        }

        /** The call has this answer: what becomes of the question. */
        void over(Answer result, Passage passage) {
            if (result.logged()) {
                question.ended();
            } else if (claimed && !passage.hasStarted()) {
                question.giveBack();
            }
        }
    }
}
