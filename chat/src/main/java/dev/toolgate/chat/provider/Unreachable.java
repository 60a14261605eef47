package dev.toolgate.chat.provider;

import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;

/** Why a server could not be reached, in words; never the exception's own, which may quote addresses. */
final class Unreachable {
    private Unreachable() {}

    static String why(Throwable failure) {
        String why = "the connection broke before it answered";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            why = switch (cause) {
                case UnresolvedAddressException _ -> "its host name is not known";
                case SSLException _ -> "the TLS connection could not be made";
                case HttpTimeoutException _ -> "nobody answered at its address in time";
                case ConnectException _ -> "nobody accepts connections at its address";
                default -> why;
            };
        }
        return why;
    }
}
