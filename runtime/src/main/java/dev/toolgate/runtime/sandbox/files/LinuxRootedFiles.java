package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Implementation with {@code openat2}, where the kernel refuses every step that would leave the root. A file is first
 * opened with {@code O_PATH} and checked; only a regular file is opened for reading, through the same handle.
 */
final class LinuxRootedFiles implements RootedFiles {
    private final LinuxRoot root;
    private final AccountPermissions permissions;
    private final LinuxWrite writing;
    private final LinuxSwap swapping;

    LinuxRootedFiles(Path root, Account account, PendingWrites pending) {
        this.root = new LinuxRoot(root);
        this.permissions = new AccountPermissions(account);
        this.writing = new LinuxWrite(this.root, permissions, pending);
        this.swapping = new LinuxSwap(this.root, pending, writing);
    }

    /** Whether the kernel has {@code openat2} (Linux 5.6) and permits it. */
    static boolean isSupported() {
        return Probe.SUPPORTED;
    }

    @Override
    public OpenFile open(Target target, FileGuard guard) throws ToolFailure {
        try (LinuxFiles os = new LinuxFiles()) {
            int rootFolder = root.open(os);
            int handle = root.reach(os, rootFolder, target, LinuxFiles.O_PATH);
            FileStat file = root.look(os, handle, target);
            requirePlain(file, target);
            guard.admit(() -> os.pathOf(handle));
            permissions.requireRead(file, target.shown());
            root.requireSearchablePath(os, rootFolder, () -> os.pathOf(handle), permissions, target);
            int descriptor = os.openForReading(handle);
            if (descriptor < 0) {
                throw Errno.failure(descriptor, target.shown());
            }
            return new OpenFile(new DescriptorChannel(descriptor, file.size()), file.size(), file.permissions());
        }
    }

    @Override
    public void write(Target target, byte[] content, Parents parents, FileGuard guard)
            throws ToolFailure, InterruptedException {
        writing.write(target, content, parents, guard);
    }

    @Override
    public void delete(Target target, FileGuard guard) throws ToolFailure {
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
            guard.admit(real);
            permissions.requireRemoval(root.look(os, folder, target), file, target.shown());
            root.requireSearchablePath(os, rootFolder, real, permissions, target);
            int result = os.unlinkAt(folder, target.name());
            if (result < 0) {
                throw Errno.failure(result, target.shown());
            }
        }
    }

    @Override
    public boolean swap(Target target, FileSwap swap, FileGuard guard) throws ToolFailure, InterruptedException {
        return swapping.swap(target, swap, guard);
    }

    @Override
    public Listing list(Target target, int limit, FileGuard guard) throws ToolFailure, InterruptedException {
        try (LinuxFiles os = new LinuxFiles()) {
            int rootFolder = root.open(os);
            int handle = root.reach(os, rootFolder, target, LinuxFiles.O_PATH);
            FileStat folder = root.look(os, handle, target);
            if (folder.kind() != FileKind.FOLDER) {
                throw FileFailures.notForListing(folder.kind(), target.shown());
            }
            guard.admit(() -> os.pathOf(handle));
            permissions.requireRead(folder, target.shown());
            root.requireSearchablePath(os, rootFolder, () -> os.pathOf(handle).resolve("."), permissions, target);
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

    /** A path that opens the file of the descriptor. */
    static Path handlePath(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    /** Probed once, on first use. */
    private static final class Probe {
        static final boolean SUPPORTED = probe();

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
