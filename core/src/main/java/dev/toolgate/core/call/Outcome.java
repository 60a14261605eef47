package dev.toolgate.core.call;

/** How a call ended: the tool completed, failed, or was refused by the gate. */
public sealed interface Outcome {

    /** The tool completed; its output may still report an error of what it ran. */
    record Completed(Output output) implements Outcome {}

    /** The tool failed, or could not be found or bound. */
    record Failed(Failure failure) implements Outcome {

        /** What to do about it, in one sentence. */
        public String remediation() {
            return failure.code().remediationOnceAllowed();
        }
    }

    /** The gate refused the call; the tool never started. */
    record Refused(Failure failure) implements Outcome {}
}
