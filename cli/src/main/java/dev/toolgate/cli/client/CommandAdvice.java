package dev.toolgate.cli.client;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.http.error.HttpError;
import java.util.Arrays;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Remediations for the command line: commands and options instead of fields and headers. */
final class CommandAdvice {
    private CommandAdvice() {}

    /** The remediation for an error of the server; a specific one stays as it is. */
    static String of(JsonNode error) {
        String given = error.path("remediation").asString("");
        return code(error.path("code").asString(""))
                .filter(code -> isGeneral(code, given))
                .map(CommandAdvice::atCommandLine)
                .orElse(given);
    }

    private static Optional<ErrorCode> code(String name) {
        return Arrays.stream(ErrorCode.values())
                .filter(code -> code.name().equals(name))
                .findFirst();
    }

    private static boolean isGeneral(ErrorCode code, String given) {
        return given.equals(code.remediation())
                || given.equals(code.remediationOnceAllowed())
                || given.equals(HttpError.CHECK_PATH);
    }

    private static String atCommandLine(ErrorCode code) {
        return switch (code) {
            case INVALID_REQUEST -> "Correct the command and run it again; --help shows what it takes.";
            case UNAUTHORIZED -> "Give a valid key with --key-file or TOOLGATE_KEY.";
            case PERMISSION_DENIED ->
                "Use a key whose role includes this (--key-file), or have an operator run 'toolgate grant' for the"
                        + " agent.";
            case SESSION_NOT_FOUND, SESSION_EXPIRED, POLICY_EXPIRED -> "Name a session that is still open.";
            case POLICY_BUNDLE_INVALID -> "Correct the policy bundle and run the command again.";
            case CAPABILITY_DENIED -> "Name a session whose policy bundle grants what the call needs.";
            case APPROVAL_REQUIRED, APPROVAL_TIMEOUT ->
                "Have an approver answer ('toolgate approvals list'), then run the command again.";
            case APPROVAL_DENIED -> "Do something else; a person has denied this call.";
            case TOOL_NOT_FOUND -> "Use one of the names that 'toolgate tools' shows.";
            case TOOL_EXECUTION_FAILED, FILE_NOT_FOUND, KEY_NOT_FOUND, FILE_TOO_LARGE ->
                "Correct the arguments and run the command again.";
            case TOOL_EXECUTION_TIMEOUT -> "Allow more time, or ask for less work in one call.";
            case WORKSPACE_UPLOAD_FAILED -> "Check the server with 'toolgate health', then run the command again.";
            case LLM_BUDGET_EXCEEDED -> "Begin a new conversation, or ask for a larger token budget.";
            case CONVERSATION_BUSY -> "Wait for the end of the answer, or stop it with Ctrl-C.";
            case REQUEST_ID_TAKEN -> "Run the command again under another request id.";
            case CHANGED_SINCE ->
                "Compare the versions with 'toolgate audit undo --dry-run', and make the wanted change by hand.";
            case REQUEST_RUNNING, RATE_LIMITED, SERVICE_UNAVAILABLE -> "Wait a moment and run the command again.";
            case CREDENTIALS_REFUSED -> "Check the credentials of the MCP server with 'toolgate servers show'.";
            case ACCOUNT_NEEDED -> "Open the address in the message, connect the account, and run the command again.";
            case INTERNAL_ERROR ->
                "Run the command again; if it fails again, search the server's log for the correlation id.";
        };
    }
}
