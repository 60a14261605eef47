package dev.toolgate.chat.provider;

import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;

/** Describes why a server could not be reached, without the exception's message, which may contain addresses. */
final class Unreachable {
    private static final String TIMED_OUT = "the connection timed out";

    private Unreachable() {}

    static String reason(Throwable failure) {
        String why = "the connection broke before it answered";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            why = switch (cause) {
                case UnresolvedAddressException _ -> "its host name could not be resolved";
                case SSLException _ -> "the TLS handshake failed";
                case HttpTimeoutException _ -> TIMED_OUT;
                // A time-out of connecting has one as its cause.
                case ConnectException _ -> why.equals(TIMED_OUT) ? why : "the connection was refused";
                default -> why;
            };
        }
        return why;
    }
}
