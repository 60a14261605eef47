package dev.toolgate.runtime.tools.shell;

import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Confines nothing: runs each command in its own process group and records the requests. */
final class PlainSandbox implements CommandSandbox {
    private final List<CommandRequest> requests = new CopyOnWriteArrayList<>();
    private final List<PlainCommand> commands = new CopyOnWriteArrayList<>();

    @Override
    public RunningCommand start(CommandRequest request) {
        requests.add(request);
        List<String> line = new ArrayList<>(List.of("/usr/bin/setsid"));
        line.addAll(Platform.current().shell(request.command()));
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(request.cwd().toFile());
        builder.environment().clear();
        builder.environment().putAll(request.environment());
        try {
            PlainCommand command = new PlainCommand(builder.start());
            commands.add(command);
            return command;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    CommandRequest lastRequest() {
        return requests.getLast();
    }

    boolean nothingIsAlive() {
        return commands.stream().noneMatch(PlainCommand::isAlive);
    }

    @Override
    public Confinement confinement() {
        return new Confinement(Confinement.Level.DEGRADED, "plain", "Only for tests.");
    }

    @Override
    public void close() {
        commands.forEach(PlainCommand::close);
    }
}
