package dev.toolgate.client.tools;

import dev.toolgate.client.ApprovalPendingException;
import dev.toolgate.client.ConnectionFailedException;
import dev.toolgate.client.DeniedException;
import dev.toolgate.client.ToolFailedException;
import dev.toolgate.client.ToolgateException;

/** Messages to the model about calls without output. They do not contain the address of the gate. */
final class ModelMessages {
    private ModelMessages() {}

    /** About a tool of this program for which there is no permit. */
    static String notRun(String tool, ToolgateException reason) {
        String because = reason instanceof ApprovalPendingException ? "Nobody has approved the call." : because(reason);
        return "'" + tool + "' was not run. " + because;
    }

    /** About a tool of the gate. */
    static String noResult(String tool, ToolgateException reason) {
        if (reason instanceof DeniedException) {
            return notRun(tool, reason);
        }
        if (reason instanceof ApprovalPendingException) {
            return "'" + tool + "' still waits for an approval, and runs once it is approved. Do not call it again.";
        }
        return "'" + tool + "' " + (reason instanceof ToolFailedException ? "failed. " : "gave no result. ")
                + because(reason);
    }

    /** About a tool of this program that ran. */
    static String notRecorded(String tool) {
        return "'" + tool + "' has run, but its outcome could not be recorded, so it is not shown. Find out what it did"
                + " before you call it again.";
    }

    private static String because(ToolgateException reason) {
        if (reason instanceof DeniedException denied) {
            String allowed = denied.allowedTools().isEmpty()
                    ? ""
                    : " Allowed tools: " + String.join(", ", denied.allowedTools()) + ".";
            return sentence(denied.reason()) + sentence(" ", denied.suggestion()) + allowed;
        }
        if (reason instanceof ConnectionFailedException) {
            return "The gate gave no answer.";
        }
        return sentence(String.valueOf(reason.getMessage())) + sentence(" ", reason.remediation());
    }

    private static String sentence(String separator, String text) {
        return text.isBlank() ? "" : separator + sentence(text);
    }

    private static String sentence(String text) {
        return text.endsWith(".") || text.endsWith("!") || text.endsWith("?") ? text : text + ".";
    }
}
