package dev.toolgate.runtime;

import dev.toolgate.runtime.upstream.HostUpstreams.Registration;
import dev.toolgate.runtime.upstream.UpstreamEndpoint;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import java.nio.file.Path;
import java.util.List;

/** A runtime with a server program that ignores SIGTERM and the end of its input; a test kills this process. */
final class GateToCrash {
    static final String READY = "ready to crash";

    private GateToCrash() {}

    public static void main(String[] arguments) throws Exception {
        Path script = Path.of(arguments[2]);
        LocalRuntime runtime = LocalRuntime.open(RuntimeSettings.of(Path.of(arguments[0]), Path.of(arguments[1])));
        Registration registration = runtime.router()
                .registerMcp(UpstreamSettings.of(
                        "nasty",
                        UpstreamEndpoint.Program.of(List.of("/usr/bin/python3", script.toString(), "stubborn"))
                                .reading(List.of(script.getParent()))));
        System.out.println(registration instanceof Registration.Registered ? READY : registration);
        Thread.currentThread().join();
    }
}
