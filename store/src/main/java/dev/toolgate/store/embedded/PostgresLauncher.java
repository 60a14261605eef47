package dev.toolgate.store.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Starts the programs of PostgreSQL under the database account, and the server so that it ends with this process. */
record PostgresLauncher(DatabaseLocation location, Binaries binaries) {
    /**
     * The platform thread that starts the server. It never ends, because the kernel sends the parent-death signal
     * when the <em>thread</em> that started the process ends.
     */
    private static final ExecutorService STARTS = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("toolgate-database-start").daemon().factory());

    /** Runs a program until it exits. */
    PostgresPrograms.Result run(Duration limit, String input, String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(underAccount(List.of()));
        command.add(binaries.program(program));
        command.addAll(List.of(arguments));
        return PostgresPrograms.run(location.folder(), limit, command, input);
    }

    /**
     * Starts the server. On Linux it gets the signal for a fast shutdown if this process dies for any
     * reason; on other systems the next start stops it. It has its own terminal session, so that Ctrl-C does not
     * stop the database while this process still writes to it.
     */
    Process server(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        PostgresPrograms.find("setsid").ifPresent(command::add);
        command.addAll(underAccount(List.of("--pdeathsig", "INT")));
        command.add(binaries.program("postgres"));
        command.addAll(arguments);
        ProcessBuilder builder = PostgresPrograms.prepare(location.folder(), command);
        // Not interruptible, because an interrupt would leave a server running that is never stopped.
        return CompletableFuture.supplyAsync(() -> start(builder), STARTS)
                .join()
                .get();
    }

    private static Started start(ProcessBuilder builder) {
        try {
            Process process = builder.start();
            return () -> process;
        } catch (IOException failed) {
            return () -> {
                throw new IOException("PostgreSQL cannot be started: " + failed.getMessage(), failed);
            };
        }
    }

    private interface Started {
        Process get() throws IOException;
    }

    private List<String> underAccount(List<String> options) throws IOException {
        boolean asOther = PostgresAccount.current().isRoot();
        var setpriv = PostgresPrograms.find("setpriv");
        if (setpriv.isEmpty()) {
            if (asOther) {
                throw new IOException("PostgreSQL refuses to run as root and the program 'setpriv' is missing; install"
                        + " util-linux, or start Toolgate as an ordinary user.");
            }
            return List.of();
        }
        List<String> command = new ArrayList<>(List.of(setpriv.get(), "--no-new-privs"));
        if (asOther) {
            command.add("--reuid=" + location.account().uid());
            command.add("--regid=" + location.account().gid());
            command.add("--clear-groups");
        }
        command.addAll(options);
        return command;
    }
}
