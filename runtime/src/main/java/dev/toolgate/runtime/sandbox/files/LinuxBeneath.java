package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Files beneath a root by {@code openat2}, which makes the kernel refuse every step that would leave
 * the root. A file is first opened as a mere handle and looked at; only a regular one is opened for
 * reading, through that very handle.
 */
final class LinuxBeneath implements Beneath {
    private final LinuxRoot root;
    private final AccountPowers powers;
    private final LinuxWrite writing;

    LinuxBeneath(Path root, Account account, PendingWrites pending) {
        this.root = new LinuxRoot(root);
        this.powers = new AccountPowers(account);
        this.writing = new LinuxWrite(this.root, powers, pending);
    }

    /** Whether this is Linux with a kernel that has {@code openat2} (5.6) and lets us call it. */
    static boolean works() {
        return Probe.WORKS;
    }

    @Override
    public OpenFile open(Target target, FileGuard gate) throws ToolFailure {
        try (LinuxFiles os = new LinuxFiles()) {
            int rootFolder = root.open(os);
            int handle = root.reach(os, rootFolder, target, LinuxFiles.O_PATH);
            FileStat file = root.look(os, handle, target);
            requirePlain(file, target);
            gate.admit(() -> os.pathOf(handle));
            powers.requireRead(file, target.shown());
            root.requireWay(os, rootFolder, () -> os.pathOf(handle), powers, target);
            int descriptor = os.openForReading(handle);
            if (descriptor < 0) {
                throw Errno.failure(descriptor, target.shown());
            }
            return new OpenFile(new DescriptorChannel(descriptor, file.size()), file.size());
        }
    }

    @Override
    public void write(Target target, byte[] content, Parents parents, FileGuard gate)
            throws ToolFailure, InterruptedException {
        writing.write(target, content, parents, gate);
    }

    @Override
    public void delete(Target target, FileGuard gate) throws ToolFailure {
        try (LinuxFiles os = new LinuxFiles()) {
            int rootFolder = root.open(os);
            if (target.relative().isEmpty()) {
                throw FileFailures.wrongKind(FileKind.FOLDER, target.shown());
            }
            Target parent = new Target(target.parent(), target.shown());
            int folder = root.reach(os, rootFolder, parent, LinuxFiles.O_PATH | LinuxFiles.O_DIRECTORY);
            FileStat file = root.lookAt(os, folder, target);
            if (file.kind() != FileKind.FILE) {
                throw FileFailures.wrongKind(file.kind(), target.shown());
            }
            Supplier<Path> real = () -> os.pathOf(folder).resolve(target.name());
            gate.admit(real);
            powers.requireRemoval(root.look(os, folder, target), file, target.shown());
            root.requireWay(os, rootFolder, real, powers, target);
            int result = os.unlinkAt(folder, target.name());
            if (result < 0) {
                throw Errno.failure(result, target.shown());
            }
        }
    }

    @Override
    public Listing list(Target target, int limit, FileGuard gate) throws ToolFailure, InterruptedException {
        try (LinuxFiles os = new LinuxFiles()) {
            int rootFolder = root.open(os);
            int handle = root.reach(os, rootFolder, target, LinuxFiles.O_PATH);
            FileStat folder = root.look(os, handle, target);
            if (folder.kind() != FileKind.FOLDER) {
                throw FileFailures.notForListing(folder.kind(), target.shown());
            }
            gate.admit(() -> os.pathOf(handle));
            powers.requireRead(folder, target.shown());
            root.requireWay(os, rootFolder, () -> os.pathOf(handle).resolve("."), powers, target);
            return FolderReader.read(handlePath(handle), limit);
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    static void requirePlain(FileStat file, Target target) throws ToolFailure {
        if (file.kind() != FileKind.FILE) {
            throw FileFailures.wrongKind(file.kind(), target.shown());
        }
        if (file.links() > 1) {
            throw FileFailures.hardLink(target.shown());
        }
    }

    /** Opening this path opens the very file the descriptor stands for. */
    static Path handlePath(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    /** Tried once, and only where somebody asks. */
    private static final class Probe {
        static final boolean WORKS = probe();

        private static boolean probe() {
            String machine = System.getProperty("os.arch", "");
            if (!System.getProperty("os.name", "").equals("Linux")
                    || !(machine.equals("amd64") || machine.equals("aarch64"))) {
                return false;
            }
            try (LinuxFiles os = new LinuxFiles()) {
                int folder = os.open(Path.of("/proc/self"), LinuxFiles.O_PATH | LinuxFiles.O_DIRECTORY);
                return folder >= 0 && os.openBeneath(folder, "fd", LinuxFiles.O_PATH) >= 0;
            }
        }
    }
}
