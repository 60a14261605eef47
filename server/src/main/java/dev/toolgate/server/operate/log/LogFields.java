package dev.toolgate.server.operate.log;

/** The MDC fields of log lines. */
public final class LogFields {
    public static final String CORRELATION_ID = "correlation_id";
    public static final String REQUEST_ID = "request_id";
    public static final String AGENT = "agent";

    private LogFields() {}
}
