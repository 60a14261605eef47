package dev.toolgate.bench.chat;

import com.sun.management.OperatingSystemMXBean;
import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The server in a separate process with a limited heap, monitored with JMX. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("Toolgate ready at http://[^:]+:(\\d+).*");

    private final Process process;
    private final int port;
    private final JMXConnector watching;
    private final MemoryMXBean memory;
    private final ThreadMXBean threads;
    private final OperatingSystemMXBean system;

    @SuppressWarnings("BanJNDI") // the address comes from the process that was just started
    private ServerProcess(Process process, int port) throws Exception {
        this.process = process;
        this.port = port;
        VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
        try {
            watching = JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
        MBeanServerConnection beans = watching.getMBeanServerConnection();
        memory = ManagementFactory.getPlatformMXBean(beans, MemoryMXBean.class);
        threads = ManagementFactory.getPlatformMXBean(beans, ThreadMXBean.class);
        system = ManagementFactory.getPlatformMXBean(beans, OperatingSystemMXBean.class);
    }

    /**
     * Starts it.
     *
     * @param heap as the option {@code -Xmx} takes it
     * @param environment additional environment variables
     */
    static ServerProcess start(String heap, Path home, Map<String, String> environment) throws Exception {
        ProcessBuilder child = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:+UseG1GC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx" + heap,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.toolgate.cli.Main",
                        "serve",
                        "--port",
                        "0"))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        child.environment().put("TOOLGATE_HOME", home.toString());
        child.environment().put("LOG_LEVEL", "warn");
        child.environment().putAll(environment);
        Process process = child.start();
        try {
            return new ServerProcess(process, port(process.inputReader()));
        } catch (Exception failed) {
            process.destroy();
            throw failed;
        }
    }

    private static int port(BufferedReader out) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                Thread.ofPlatform().daemon().name("server-output").start(() -> out.lines()
                        .forEach(_ -> {}));
                return Integer.parseInt(ready.group(1));
            }
        }
        throw new IOException("The server did not start.");
    }

    int port() {
        return port;
    }

    /** The used heap, including garbage. */
    long heapUsed() {
        return memory.getHeapMemoryUsage().getUsed();
    }

    long heapLimit() {
        return memory.getHeapMemoryUsage().getMax();
    }

    /** The used heap after a garbage collection. */
    long heapAfterGc() {
        memory.gc();
        return heapUsed();
    }

    /** The number of platform threads; conversations use virtual ones. */
    int threads() {
        return threads.getThreadCount();
    }

    Duration processorTime() {
        return Duration.ofNanos(system.getProcessCpuTime());
    }

    @Override
    public void close() throws IOException {
        watching.close();
        process.destroy();
        var _ = process.onExit().join();
    }
}
