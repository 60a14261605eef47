package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.http.JdkHttpExchanger;
import java.time.Duration;

class HostileHttpOverJdkTest extends HostileHttpContract {
    HostileHttpOverJdkTest() {
        super(new JdkHttpExchanger(Duration.ofSeconds(5)));
    }
}
