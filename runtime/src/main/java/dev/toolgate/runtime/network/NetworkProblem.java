package dev.toolgate.runtime.network;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;

/** Describes a network error for the caller of a tool. */
final class NetworkProblem {
    private NetworkProblem() {}

    static String describe(IOException problem) {
        return switch (problem) {
            case SocketTimeoutException _ -> "the connection timed out";
            case NoRouteToHostException _ -> "there is no route to that address";
            case ConnectException _ -> "the connection was refused; check the port and that the server runs";
            case SSLException _ ->
                "the TLS handshake failed, because the server's certificate or encryption is not trusted";
            case NoHttpResponseException _ -> "the server closed the connection without a response";
            case ConnectionClosedException _ -> "the connection was closed before the whole response had arrived";
            case MessageConstraintException _ -> "the response has too many or too long headers";
            case ZipException _ -> "the compressed response is damaged";
            default -> "the connection broke or the response is not valid HTTP";
        };
    }
}
