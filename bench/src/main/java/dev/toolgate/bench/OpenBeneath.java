package dev.toolgate.bench;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.files.Beneath;
import dev.toolgate.runtime.sandbox.files.FileGuard;
import dev.toolgate.runtime.sandbox.files.OpenFile;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.Target;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Opening a file beneath a root against opening it plainly; bar: at most 4 times. */
final class OpenBeneath {
    private OpenBeneath() {}

    public static void main(String[] args) throws Exception {
        Path root = Files.createTempDirectory("bench-beneath").toRealPath();
        Path state = Files.createTempDirectory("bench-state");
        Path file = Files.writeString(
                Files.createDirectories(root.resolve("src/main")).resolve("a.txt"), "hello");
        Account other = WorkspaceAccount.of(root);
        WorkspaceAccount.give(root, other);
        Target target = Target.of("src/main/a.txt");
        Beneath own = Beneath.at(root, WorkspaceAccount.current(), PendingWrites.in(state));

        Table table = new Table()
                .with("FileChannel.open", () -> FileChannel.open(file, StandardOpenOption.READ)
                        .close())
                .with("toRealPath, startsWith, then open (can be raced)", () -> {
                    if (file.toRealPath().startsWith(root)) {
                        FileChannel.open(file, StandardOpenOption.READ).close();
                    }
                })
                .with("Beneath.open", () -> open(own, target));
        if (!other.equals(WorkspaceAccount.current())) {
            Beneath others = Beneath.at(root, other, PendingWrites.in(state));
            table.with("Beneath.open by root, with another account's rights", () -> open(others, target));
        }
        table.measure(30, 40, 2_000);
        table.print("Opening a file in a workspace");
        System.out.printf(
                "ratio Beneath.open / FileChannel.open: %.2f (bar: 4)%n",
                table.ratio("Beneath.open", "FileChannel.open"));
    }

    private static void open(Beneath beneath, Target target) throws Exception {
        try (OpenFile open = beneath.open(target, FileGuard.OPEN)) {
            if (open.size() != 5) {
                throw new IllegalStateException("another file");
            }
        }
    }
}
