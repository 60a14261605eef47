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

/** Says what a broken connection means to somebody who only wanted a web page. */
final class NetworkProblem {
    private NetworkProblem() {}

    static String inPlainWords(IOException problem) {
        return switch (problem) {
            case SocketTimeoutException _ -> "nobody answered at that address in time";
            case NoRouteToHostException _ -> "there is no way to that address from here";
            case ConnectException _ -> "the connection was refused; check the port and that the server runs";
            case SSLException _ ->
                "the connection is not secure, because the server's certificate or its encryption"
                        + " cannot be trusted";
            case NoHttpResponseException _ -> "the server closed the connection without an answer";
            case ConnectionClosedException _ -> "the connection ended before the whole answer had arrived";
            case MessageConstraintException _ -> "the answer has too many or too long headers";
            case ZipException _ -> "the answer is compressed but damaged";
            default -> "the connection broke or the answer is not valid HTTP";
        };
    }
}
