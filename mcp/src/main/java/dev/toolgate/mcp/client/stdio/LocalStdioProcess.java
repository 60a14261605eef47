package dev.toolgate.mcp.client.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A server program as a child process without a sandbox. Its descendants are ended with it. */
public final class LocalStdioProcess implements StdioProcess {
    private final Process process;
    private final Set<ProcessHandle> descendants = ConcurrentHashMap.newKeySet();

    private LocalStdioProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts a program.
     *
     * @param environment added to the environment of this process
     */
    public static LocalStdioProcess start(List<String> command, Map<String, String> environment, Path directory)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().putAll(environment);
        return new LocalStdioProcess(builder.start());
    }

    /** The operating system's process id. */
    public long pid() {
        return process.pid();
    }

    @Override
    public OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public InputStream stdout() {
        return process.getInputStream();
    }

    @Override
    public InputStream stderr() {
        return process.getErrorStream();
    }

    @Override
    public boolean waitFor(Duration timeout) throws InterruptedException {
        remember();
        long end = System.nanoTime() + timeout.toNanos();
        if (!process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        while (descendants.stream().anyMatch(ProcessHandle::isAlive)) {
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return true;
    }

    // They can no longer be found once their parent has ended.
    private void remember() {
        process.descendants().forEach(descendants::add);
    }

    @Override
    public void terminate() {
        remember();
        process.destroy();
        descendants.forEach(ProcessHandle::destroy);
    }

    @Override
    public void kill() {
        remember();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public OptionalInt exitCode() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }
}
