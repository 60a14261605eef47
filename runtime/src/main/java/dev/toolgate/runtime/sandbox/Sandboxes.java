package dev.toolgate.runtime.sandbox;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RefusingSandbox;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxOpening;
import dev.toolgate.runtime.sandbox.command.degraded.DegradedSandbox;
import dev.toolgate.runtime.sandbox.command.elsewhere.JobObjectSandbox;
import dev.toolgate.runtime.sandbox.command.elsewhere.SeatbeltSandbox;
import java.nio.file.Path;
import java.util.function.Function;

/** The one place that decides what confines commands. Whatever goes wrong here ends in refusal. */
public final class Sandboxes {
    private static final String ACCEPT_LESS =
            "; or accept weaker confinement explicitly with the setting 'sandbox.mode: degraded' (--sandbox degraded)";

    private final SandboxOpening bubblewrap;
    private final SandboxOpening degraded;
    private final SandboxOpening seatbelt;
    private final SandboxOpening jobObject;

    Sandboxes(SandboxOpening bubblewrap, SandboxOpening degraded, SandboxOpening seatbelt, SandboxOpening jobObject) {
        this.bubblewrap = bubblewrap;
        this.degraded = degraded;
        this.seatbelt = seatbelt;
        this.jobObject = jobObject;
    }

    /**
     * The sandbox for a platform.
     *
     * @param bubblewrap opens the confining sandbox of Linux, or fails where bubblewrap does not work
     * @param accounts the account commands run as in a workspace when this process is root
     */
    public static CommandSandbox choose(
            Platform platform, SandboxMode mode, SandboxOpening bubblewrap, Function<Path, Account> accounts) {
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
                                "Windows has nothing to confine commands with; run Toolgate on Linux or in WSL"),
                        jobObject,
                        mode);
            default -> new RefusingSandbox("nothing is known to confine commands on " + platform.name());
        };
    }

    private static CommandSandbox confining(SandboxOpening best, SandboxOpening weaker, SandboxMode mode) {
        CommandSandbox sandbox = open(best);
        Confinement confinement = sandbox.confinement();
        if (confinement.level() != Confinement.Level.UNAVAILABLE) {
            return sandbox;
        }
        sandbox.close();
        return switch (mode) {
            case DEGRADED -> open(weaker);
            case CONFINED -> new RefusingSandbox(confinement.detail() + ACCEPT_LESS);
        };
    }

    private static CommandSandbox open(SandboxOpening opening) {
        try {
            return opening.open();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new RefusingSandbox("preparing the sandbox was interrupted; start again");
        } catch (Exception | LinkageError e) {
            String message = e.getMessage();
            return new RefusingSandbox(message == null ? e.getClass().getSimpleName() : message);
        }
    }
}
