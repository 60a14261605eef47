package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import org.jspecify.annotations.Nullable;

/** The approval state of a call that needs approval. */
sealed interface Held {

    /** The answer; {@code null} while pending. */
    Approvals.@Nullable Answer answer();

    /** No request was made: a standing approval covers the call, or there are no approvers. */
    record Settled(Approvals.Answer answer) implements Held {}

    /** There is a stored approval request. Confined to one thread; each part is written once. */
    final class Asked implements Held {
        private final HeldQuestion question;
        private final Origin origin;
        private Approvals.@Nullable Answer answer;
        private boolean claimed;

        /** How the call got its approval request. */
        enum Origin {
            /** This call made it, or joined that of an equal call. */
            ASKED,
            /** An earlier run of this call made it; this run continues with the answer, without a caller. */
            RESUMED
        }

        private Asked(HeldQuestion question, Origin origin, Approvals.@Nullable Answer answer) {
            this.question = question;
            this.origin = origin;
            this.answer = answer;
        }

        /** A call that waits for its answer. */
        static Asked waiting(HeldQuestion question) {
            return new Asked(question, Origin.ASKED, null);
        }

        /** A call that was held earlier and continues with the given answer. */
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

        /** Sets the answer. */
        void answered(Approvals.Answer newAnswer) {
            answer = newAnswer;
        }

        /** Claims the approval for this call; false if another has it. */
        boolean claim() {
            claimed = question.claim();
            return claimed;
        }

        /** Withdraws the request. */
        void withdraw() {
            question.withdraw();
        }

        /**
         * Withdraws the request of a call whose outcome will not be collected; the claim is released if the end cannot
         * be recorded now.
         */
        void withdrawForGood() {
            question.withdraw();
            claimed = true;
        }

        /** Updates the request after the call got this answer. */
        void over(Answer result, CallProgress progress) {
            if (result.logged()) {
                question.ended();
            } else if (claimed && !progress.hasStarted()) {
                question.releaseClaim();
            }
        }
    }
}
