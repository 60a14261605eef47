package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import javax.net.ssl.SSLContext;

class HostileHttpOverSocketsTest extends HostileHttpContract {
    HostileHttpOverSocketsTest() throws NoSuchAlgorithmException {
        super(new SocketHttpExchanger(SocketConnector.ANY, SSLContext.getDefault(), Duration.ofSeconds(5)));
    }
}
