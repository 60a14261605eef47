package dev.toolgate.runtime.sandbox;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RefusingSandbox;
import dev.toolgate.runtime.sandbox.command.SandboxFactory;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.degraded.DegradedSandbox;
import dev.toolgate.runtime.sandbox.command.nonlinux.JobObjectSandbox;
import dev.toolgate.runtime.sandbox.command.nonlinux.SeatbeltSandbox;
import java.nio.file.Path;
import java.util.function.Function;

/** Selects the sandbox for commands. Every failure results in a sandbox that refuses all commands. */
public final class Sandboxes {
    private static final String DEGRADED_HINT =
            "; or accept weaker confinement explicitly with the setting 'sandbox.mode: degraded' (--sandbox degraded)";

    private final SandboxFactory bubblewrap;
    private final SandboxFactory degraded;
    private final SandboxFactory seatbelt;
    private final SandboxFactory jobObject;

    Sandboxes(SandboxFactory bubblewrap, SandboxFactory degraded, SandboxFactory seatbelt, SandboxFactory jobObject) {
        this.bubblewrap = bubblewrap;
        this.degraded = degraded;
        this.seatbelt = seatbelt;
        this.jobObject = jobObject;
    }

    /**
     * The sandbox for a platform.
     *
     * @param bubblewrap opens the bubblewrap sandbox, or fails where bubblewrap does not work
     * @param accounts the account that runs commands in a workspace when this process is root
     */
    public static CommandSandbox choose(
            Platform platform, SandboxMode mode, SandboxFactory bubblewrap, Function<Path, Account> accounts) {
        return new Sandboxes(
                        bubblewrap,
                        () -> new DegradedSandbox(accounts),
                        () -> SeatbeltSandbox.open(platform),
                        () -> JobObjectSandbox.open(platform))
                .choose(platform, mode);
    }

    CommandSandbox choose(Platform platform, SandboxMode mode) {
        return switch (platform.name()) {
            case "Linux" -> confining(bubblewrap, degraded, mode);
            case "macOS" -> open(seatbelt);
            case "Windows" ->
                confining(
                        () -> new RefusingSandbox(
                                "Windows has no sandbox for commands; run Toolgate on Linux or in WSL"),
                        jobObject,
                        mode);
            default -> new RefusingSandbox("there is no sandbox for commands on " + platform.name());
        };
    }

    private static CommandSandbox confining(SandboxFactory best, SandboxFactory weaker, SandboxMode mode) {
        CommandSandbox sandbox = open(best);
        Confinement confinement = sandbox.confinement();
        if (confinement.level() != Confinement.Level.UNAVAILABLE) {
            return sandbox;
        }
        sandbox.close();
        return switch (mode) {
            case DEGRADED -> open(weaker);
            case CONFINED -> new RefusingSandbox(confinement.detail() + DEGRADED_HINT);
        };
    }

    private static CommandSandbox open(SandboxFactory factory) {
        try {
            return factory.open();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new RefusingSandbox("preparing the sandbox was interrupted");
        } catch (Exception | LinkageError e) {
            String message = e.getMessage();
            return new RefusingSandbox(message == null ? e.getClass().getSimpleName() : message);
        }
    }
}
