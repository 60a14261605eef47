package dev.toolgate.server.mcpclient;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A client in a separate process, with a time limit; closing it also kills its descendants. */
public final class ClientProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration LAST_WAIT = Duration.ofSeconds(10);

    // Clients must not inherit other variables of the developer's environment, such as API keys of models.
    private static final Set<String> KEPT = Set.of("PATH", "LANG", "LC_ALL", "TZ", "JAVA_HOME");

    private final Process process;
    private final Path errors;
    private final BufferedReader out;
    private final BufferedWriter in;

    private ClientProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.out = process.inputReader();
        this.in = process.outputWriter();
    }

    /**
     * Starts a client.
     *
     * @param home its home and working folder
     * @param environment additional variables
     */
    public static ClientProcess start(Path home, Map<String, String> environment, List<String> command)
            throws IOException {
        Path errors = Files.createTempFile(home, "stderr", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(home.toFile()).redirectError(errors.toFile());
        builder.environment().keySet().retainAll(KEPT);
        builder.environment().put("HOME", home.toString());
        builder.environment().putAll(environment);
        return new ClientProcess(builder.start(), errors);
    }

    /** Writes a line and reads the line that answers it. */
    public String ask(String line) throws IOException {
        return within(() -> {
            in.write(line);
            in.newLine();
            in.flush();
            return out.readLine();
        });
    }

    /** The exit code and output of a program. */
    public record Ended(int code, String out, String err) {}

    /** Closes its input and waits for its end. */
    public Ended await() throws IOException {
        return await("");
    }

    /** Writes the last of its input, closes it, and waits for its end. */
    public Ended await(String typed) throws IOException {
        String printed = within(() -> {
            in.write(typed);
            in.close();
            return out.lines().collect(Collectors.joining("\n"));
        });
        try {
            if (!process.waitFor(LAST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("The client closed its output and did not end." + diagnosis());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
        return new Ended(process.exitValue(), printed, Files.readString(errors));
    }

    private interface Work {
        String run() throws IOException;
    }

    private String within(Work work) throws IOException {
        CompletableFuture<String> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                String line = work.run();
                if (line == null) {
                    done.completeExceptionally(new IOException("The client has ended."));
                } else {
                    done.complete(line);
                }
            } catch (IOException broken) {
                done.completeExceptionally(broken);
            }
        });
        try {
            return done.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new IOException("The client did not answer within " + LIMIT.toSeconds() + " s." + diagnosis(), late);
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause() + diagnosis(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    private String diagnosis() throws IOException {
        return "\nIts standard error:\n" + Files.readString(errors);
    }

    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        try {
            in.close();
            boolean _ = process.waitFor(LAST_WAIT.toSeconds(), TimeUnit.SECONDS);
        } catch (IOException gone) {
            // it has ended already
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }
}
