package dev.toolgate.core.call;

/** How a call ended: the tool ran to its end, the tool did not, or the gate never let it start. */
public sealed interface Outcome {

    /** The tool ran to its end; its output may still report an error of what it ran. */
    record Completed(Output output) implements Outcome {}

    /** The tool was allowed to start, or could not be found or bound, and did not deliver. */
    record Failed(Failure failure) implements Outcome {

        /** What to do about it, in one sentence. */
        public String remediation() {
            return failure.code().remediationOnceAllowed();
        }
    }

    /** The gate said no; the tool never started. */
    record Refused(Failure failure) implements Outcome {}
}
