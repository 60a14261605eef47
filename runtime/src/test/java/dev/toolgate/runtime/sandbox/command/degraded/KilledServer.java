package dev.toolgate.runtime.sandbox.command.degraded;

import java.nio.file.Path;

/** Starts a command, prints the id of one of its processes, and waits to be killed. */
final class KilledServer {
    private KilledServer() {}

    public static void main(String[] arguments) throws Exception {
        DegradedFixture fixture = new DegradedFixture(Path.of(arguments[0]));
        fixture.start("setsid sh -c 'echo $$; exec sleep 600' & wait").stdout().transferTo(System.out);
    }
}
