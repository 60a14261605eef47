package dev.toolgate.core.call;

/** The error table: HTTP status, whether the same call may succeed later, and what to do. */
public enum ErrorCode {
    INVALID_REQUEST(400, Retry.NO, "Correct the named field and send the call again."),
    UNAUTHORIZED(
            401,
            Retry.NO,
            "Send a valid key or token in the Authorization header.",
            "Ask an operator to check the credentials that this tool is configured with."),
    SESSION_NOT_FOUND(404, Retry.NO, "Create a session and use its id."),
    SESSION_EXPIRED(401, Retry.NO, "Create a new session."),
    POLICY_BUNDLE_INVALID(400, Retry.NO, "Correct the policy bundle and create the session again."),
    POLICY_EXPIRED(403, Retry.NO, "Ask for a policy bundle that is still valid."),
    CAPABILITY_DENIED(
            403,
            Retry.NO,
            "Ask for a session whose policy bundle grants what the call needs.",
            "Stay within the paths, commands and addresses of the session's policy bundle; the tool itself is"
                    + " allowed."),
    PERMISSION_DENIED(
            403,
            Retry.NO,
            "Use a tool the agent has been granted, or ask an operator for a grant.",
            "Name a path, file or address that this tool may reach; the tool itself is allowed to the agent."),
    APPROVAL_REQUIRED(403, Retry.LATER, "Have a person approve the call, then send it again."),
    APPROVAL_DENIED(403, Retry.NO, "Choose another way; a person has said no to this call."),
    APPROVAL_TIMEOUT(408, Retry.LATER, "Send the call again when somebody can approve it."),
    TOOL_NOT_FOUND(404, Retry.NO, "List the available tools and use one of their names."),
    TOOL_EXECUTION_FAILED(500, Retry.NO, "Read the message, correct the arguments and try again."),
    TOOL_EXECUTION_TIMEOUT(504, Retry.LATER, "Allow more time, or ask for less work in one call."),
    FILE_NOT_FOUND(404, Retry.NO, "Check the path; list the folder to see what is there."),
    KEY_NOT_FOUND(404, Retry.NO, "Check the key; list what is there and use one of those names."),
    FILE_TOO_LARGE(413, Retry.NO, "Read a part of the file with offset and limit, or raise the size limit."),
    RATE_LIMITED(429, Retry.LATER, "Wait before sending the next call."),
    WORKSPACE_UPLOAD_FAILED(502, Retry.LATER, "Check the artifact store, then send the call again."),
    LLM_BUDGET_EXCEEDED(403, Retry.NO, "Start a new session or ask for a larger token budget."),
    CONVERSATION_BUSY(409, Retry.LATER, "Wait for the end of the answer, or cancel it first."),
    REQUEST_ID_TAKEN(409, Retry.NO, "Send a different call under a request id of its own."),
    REQUEST_RUNNING(409, Retry.LATER, "Wait for the first call with this request id, then ask again."),
    CHANGED_SINCE(409, Retry.NO, "Compare the versions, and make the change that is wanted now by hand."),
    SERVICE_UNAVAILABLE(
            503,
            Retry.LATER,
            "Wait a moment and send the call again; the server recovers by itself.",
            "Check that the service this tool needs is up and its address right, then send the call again."),
    CREDENTIALS_REFUSED(502, Retry.NO, "Ask an operator to check the credentials that the gate has for this server."),
    ACCOUNT_NEEDED(403, Retry.LATER, "Open the address in the message, connect the account, and send the call again."),
    INTERNAL_ERROR(500, Retry.LATER, "Try again; if it stays, look for the request id in the server's log.");

    private enum Retry {
        NO,
        LATER
    }

    private final int httpStatus;
    private final Retry retry;
    private final String remediation;
    private final String remediationOnceAllowed;

    ErrorCode(int httpStatus, Retry retry, String remediation) {
        this(httpStatus, retry, remediation, remediation);
    }

    ErrorCode(int httpStatus, Retry retry, String remediation, String remediationOnceAllowed) {
        this.httpStatus = httpStatus;
        this.retry = retry;
        this.remediation = remediation;
        this.remediationOnceAllowed = remediationOnceAllowed;
    }

    /** The HTTP status of a web dialect's answer. */
    public int httpStatus() {
        return httpStatus;
    }

    /** Whether the same call may succeed later. */
    public boolean retryable() {
        return retry == Retry.LATER;
    }

    /** What to do about it, in one sentence. */
    public String remediation() {
        return remediation;
    }

    /** What to do if an allowed call failed with it; never suggests asking for a permission. */
    public String remediationOnceAllowed() {
        return remediationOnceAllowed;
    }
}
