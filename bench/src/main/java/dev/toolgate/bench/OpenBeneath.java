package dev.toolgate.bench;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.files.FileGuard;
import dev.toolgate.runtime.sandbox.files.OpenFile;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.RootedFiles;
import dev.toolgate.runtime.sandbox.files.Target;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Compares opening a file beneath a root with a plain open; target: at most 4 times. */
final class OpenBeneath {
    private OpenBeneath() {}

    public static void main(String[] args) throws Exception {
        Path root = Files.createTempDirectory("bench-beneath").toRealPath();
        Path state = Files.createTempDirectory("bench-state");
        Path file = Files.writeString(
                Files.createDirectories(root.resolve("src/main")).resolve("a.txt"), "hello");
        Account other = WorkspaceAccount.of(root);
        WorkspaceAccount.changeOwner(root, other);
        Target target = Target.of("src/main/a.txt");
        RootedFiles own = RootedFiles.at(root, WorkspaceAccount.current(), PendingWrites.in(state));

        Comparison comparison = new Comparison()
                .with("FileChannel.open", () -> FileChannel.open(file, StandardOpenOption.READ)
                        .close())
                .with("toRealPath, startsWith, then open (can be raced)", () -> {
                    if (file.toRealPath().startsWith(root)) {
                        FileChannel.open(file, StandardOpenOption.READ).close();
                    }
                })
                .with("RootedFiles.open", () -> open(own, target));
        if (!other.equals(WorkspaceAccount.current())) {
            RootedFiles others = RootedFiles.at(root, other, PendingWrites.in(state));
            comparison.with("RootedFiles.open by root, with another account's rights", () -> open(others, target));
        }
        comparison.measure(30, 40, 2_000);
        comparison.print("Opening a file in a workspace");
        System.out.printf(
                "ratio RootedFiles.open / FileChannel.open: %.2f (bar: 4)%n",
                comparison.ratio("RootedFiles.open", "FileChannel.open"));
    }

    private static void open(RootedFiles files, Target target) throws Exception {
        try (OpenFile open = files.open(target, FileGuard.OPEN)) {
            if (open.size() != 5) {
                throw new IllegalStateException("another file");
            }
        }
    }
}
