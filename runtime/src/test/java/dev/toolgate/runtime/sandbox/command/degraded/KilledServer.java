package dev.toolgate.runtime.sandbox.command.degraded;

import java.nio.file.Path;

/** A program that starts a command, says the id of a process of it, and waits to be killed. */
final class KilledServer {
    private KilledServer() {}

    public static void main(String[] arguments) throws Exception {
        DegradedFixture fixture = new DegradedFixture(Path.of(arguments[0]));
        fixture.start("setsid sh -c 'echo $$; exec sleep 600' & wait").stdout().transferTo(System.out);
    }
}
