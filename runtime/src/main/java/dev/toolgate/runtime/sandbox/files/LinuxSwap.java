package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a file only if it has the expected content. The kernel exchanges the new and the old file atomically; then
 * the old one is checked again, and put back if another process has written to it in between.
 */
final class LinuxSwap {
    private static final int MAX_ATTEMPTS = 64;

    private final LinuxRoot root;
    private final PendingWrites pending;
    private final LinuxWrite writing;

    LinuxSwap(LinuxRoot root, PendingWrites pending, LinuxWrite writing) {
        this.root = root;
        this.pending = pending;
        this.writing = writing;
    }

    boolean swap(Target target, FileSwap swap, FileGuard guard) throws ToolFailure, InterruptedException {
        if (target.relative().isEmpty()) {
            throw FileFailures.wrongKind(FileKind.FOLDER, target.shown());
        }
        try (LinuxFiles os = new LinuxFiles()) {
            int rootFolder = root.open(os);
            LinuxWrite.Place place = find(os, rootFolder, target, swap, guard);
            if (place == null) {
                return false;
            }
            guard.admit(place::real);
            Path realRoot = os.pathOf(rootFolder);
            boolean same = realRoot.resolve(swap.place()).equals(place.real());
            if (!same || !isExpected(os, place.folder(), place.name(), swap.expected())) {
                return false;
            }
            writing.requirePermissions(os, rootFolder, place, target);
            return change(os, place, swap, target);
        } catch (ClosedByInterruptException stopped) {
            Thread.interrupted();
            throw new InterruptedException();
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }

    private LinuxWrite.@Nullable Place find(
            LinuxFiles os, int rootFolder, Target target, FileSwap swap, FileGuard guard) throws ToolFailure {
        if (swap.expected() == null) {
            return writing.find(os, rootFolder, target, Parents.CREATE, guard);
        }
        try {
            return writing.find(os, rootFolder, target, Parents.REQUIRE, guard);
        } catch (ToolFailure failure) {
            if (failure.failure().code() == ErrorCode.FILE_NOT_FOUND) {
                return null; // its folder does not exist either
            }
            throw failure;
        }
    }

    private boolean change(LinuxFiles os, LinuxWrite.Place place, FileSwap swap, Target target)
            throws ToolFailure, IOException {
        byte[] wanted = swap.wanted();
        byte[] expected = swap.expected();
        try (PendingWrites.Entry entry = pending.begin(root.path(), place.real().resolveSibling(""))) {
            boolean done;
            if (wanted == null) {
                done = remove(os, place, entry.temporary(), expected, target);
            } else {
                FileStat old = place.old();
                create(
                        os,
                        place.folder(),
                        entry.temporary(),
                        old == null ? swap.mode() : old.permissions(),
                        wanted,
                        target);
                done = expected == null
                        ? add(os, place, entry.temporary(), target)
                        : exchange(os, place, entry.temporary(), expected, target);
            }
            LinuxWrite.makeDurable(os, place.folder());
            return done;
        }
    }

    private void create(LinuxFiles os, int folder, String temporary, int mode, byte[] content, Target target)
            throws ToolFailure, IOException {
        int created = LinuxWrite.require(os.createAt(folder, temporary, LinuxWrite.PRIVATE_MODE), target);
        try {
            writing.fill(os, created, mode, content, target);
        } catch (ToolFailure | IOException | RuntimeException broken) {
            os.unlinkAt(folder, temporary);
            throw broken;
        }
    }

    private static boolean add(LinuxFiles os, LinuxWrite.Place place, String temporary, Target target)
            throws ToolFailure {
        int result = os.renameToFreeNameAt(place.folder(), temporary, place.name());
        if (result < 0) {
            os.unlinkAt(place.folder(), temporary);
        }
        if (result == -Errno.EEXIST) {
            return false;
        }
        LinuxWrite.require(result, target);
        return true;
    }

    private static boolean exchange(
            LinuxFiles os, LinuxWrite.Place place, String temporary, byte[] expected, Target target)
            throws ToolFailure, IOException {
        FileStat ours = stat(os, place.folder(), temporary);
        int result = os.exchangeAt(place.folder(), temporary, place.name());
        if (result < 0) {
            os.unlinkAt(place.folder(), temporary);
        }
        if (result == -Errno.ENOENT) {
            return false; // it was removed in the meantime
        }
        LinuxWrite.require(result, target);
        boolean done = isExpected(os, place.folder(), temporary, expected);
        if (!done) {
            putBack(os, place, temporary, ours);
        }
        os.unlinkAt(place.folder(), temporary);
        return done;
    }

    // The file taken out must be the one put in; any other is a concurrent write, and is put back in turn.
    private static void putBack(LinuxFiles os, LinuxWrite.Place place, String temporary, @Nullable FileStat ours) {
        FileStat putIn = ours;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            FileStat going = stat(os, place.folder(), temporary);
            if (os.exchangeAt(place.folder(), temporary, place.name()) < 0) {
                return; // removed in the meantime, as it would have been without the exchange
            }
            FileStat taken = stat(os, place.folder(), temporary);
            if (taken == null || putIn == null || taken.isSameFileAs(putIn)) {
                return;
            }
            putIn = going;
        }
    }

    private static boolean remove(
            LinuxFiles os, LinuxWrite.Place place, String temporary, byte @Nullable [] expected, Target target)
            throws ToolFailure, IOException {
        int result = os.renameToFreeNameAt(place.folder(), place.name(), temporary);
        if (result == -Errno.ENOENT) {
            return false;
        }
        LinuxWrite.require(result, target);
        boolean done = isExpected(os, place.folder(), temporary, expected);
        if (done || os.renameToFreeNameAt(place.folder(), temporary, place.name()) < 0) {
            os.unlinkAt(place.folder(), temporary); // if a newer file has the name, it has replaced this one
        }
        return done;
    }

    private static @Nullable FileStat stat(LinuxFiles os, int folder, String name) {
        return os.lookAt(folder, name) < 0 ? null : os.stat();
    }

    private static boolean isExpected(LinuxFiles os, int folder, String name, byte @Nullable [] expected)
            throws IOException {
        FileStat file = stat(os, folder, name);
        if (file == null || expected == null) {
            return file == null && expected == null;
        }
        if (file.kind() != FileKind.FILE || file.size() != expected.length) {
            return false;
        }
        int handle = os.openBeneath(folder, name, LinuxFiles.O_PATH | LinuxFiles.O_NOFOLLOW);
        int descriptor = handle < 0 ? handle : os.openForReading(handle);
        if (descriptor < 0) {
            return false;
        }
        try (DescriptorChannel channel = new DescriptorChannel(descriptor, file.size())) {
            ByteBuffer bytes = ByteBuffer.allocate(expected.length + 1);
            int read = 0;
            while (bytes.hasRemaining() && read >= 0) {
                read = channel.read(bytes);
            }
            return Arrays.equals(bytes.array(), 0, bytes.position(), expected, 0, expected.length);
        }
    }
}
