package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.http.JdkHttpExchanger;
import java.time.Duration;

class HttpSessionsOverJdkTest extends HttpSessionsContract {
    HttpSessionsOverJdkTest() {
        super(new JdkHttpExchanger(Duration.ofSeconds(5)));
    }
}
