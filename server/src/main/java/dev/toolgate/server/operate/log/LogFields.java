package dev.toolgate.server.operate.log;

/** The names under which a thread notes what it is working on; every line it logs then carries them. */
public final class LogFields {
    public static final String CORRELATION_ID = "correlation_id";
    public static final String REQUEST_ID = "request_id";
    public static final String AGENT = "agent";

    private LogFields() {}
}
