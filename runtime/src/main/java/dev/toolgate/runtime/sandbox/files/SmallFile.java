package dev.toolgate.runtime.sandbox.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a small text file beneath a folder, without following links out of it and without blocking on pipes. */
public final class SmallFile {
    private SmallFile() {}

    /**
     * The text; empty if it is not a regular file, cannot be opened or is larger than the maximum.
     *
     * @param relative the path from the folder
     */
    public static Optional<String> read(Path folder, Path relative, int maxBytes) throws IOException {
        try (LinuxFiles os = new LinuxFiles()) {
            int root = os.open(folder, LinuxFiles.O_PATH | LinuxFiles.O_DIRECTORY);
            int handle = root < 0 ? root : os.openBeneath(root, relative.toString(), LinuxFiles.O_PATH);
            if (handle < 0 || os.look(handle) < 0 || os.stat().kind() != FileKind.FILE) {
                return Optional.empty();
            }
            long size = os.stat().size();
            int descriptor = size > maxBytes ? -1 : os.openForReading(handle);
            return descriptor < 0
                    ? Optional.empty()
                    : Optional.of(text(new DescriptorChannel(descriptor, size), maxBytes));
        }
    }

    private static String text(SeekableByteChannel opened, int maxBytes) throws IOException {
        try (SeekableByteChannel channel = opened) {
            ByteBuffer bytes = ByteBuffer.allocate(maxBytes);
            int read = 0;
            while (bytes.hasRemaining() && read >= 0) {
                read = channel.read(bytes);
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }
}
