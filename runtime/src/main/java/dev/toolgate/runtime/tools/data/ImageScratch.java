package dev.toolgate.runtime.tools.data;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.output.ImageType;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.command.TemporaryFolder;
import dev.toolgate.runtime.sandbox.files.SizeLimit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The temporary file a script writes its image to, until it is validated. */
final class ImageScratch implements AutoCloseable {
    private static final int MAX_BYTES = 32 << 20; // held in memory
    private static final int HEAD_BYTES = 1024;

    private final TemporaryFolder folder;
    private final Path file;

    private ImageScratch(TemporaryFolder folder, Path file) {
        this.folder = folder;
        this.file = file;
    }

    /** An image and its media type. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Image(byte[] bytes, String mediaType) {}

    /** Creates a file that scripts of this workspace can write to. */
    static ImageScratch open(Path workspace) throws ToolFailure {
        try {
            TemporaryFolder folder = new TemporaryFolder();
            try {
                return in(folder, WorkspaceAccount.of(workspace));
            } catch (IOException unwritable) {
                folder.close();
                throw unwritable;
            }
        } catch (IOException unwritable) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The temporary file for the image cannot be created: " + unwritable.getMessage()
                            + "; check the temporary folder");
        }
    }

    private static ImageScratch in(TemporaryFolder folder, Account account) throws IOException {
        Path file = Files.createFile(folder.path().resolve("image"));
        WorkspaceAccount.changeOwner(file, account);
        WorkspaceAccount.changeOwner(folder.path(), account);
        return new ImageScratch(folder, file);
    }

    Path file() {
        return file;
    }

    /** The image written by the script; fails if there is none. */
    Image read(String shown, Bounds bounds) throws ToolFailure {
        byte[] bytes = bytes(shown);
        if (bytes.length == 0) {
            throw failure(
                    "The script wrote no image; it must write one to the path in OUTPUT_IMAGE (also" + " sys.argv[2])");
        }
        if (bytes.length > MAX_BYTES) {
            throw failure("The image is larger than 32 MiB; write a smaller one");
        }
        SizeLimit.check(bytes.length, shown, bounds);
        return new Image(
                bytes,
                mediaType(bytes)
                        .orElseThrow(() -> failure("What the script wrote to " + shown
                                + " is not a supported image; write PNG, JPEG, GIF, WebP or SVG")));
    }

    private byte[] bytes(String shown) throws ToolFailure {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(MAX_BYTES + 1);
        } catch (IOException unreadable) {
            throw failure("The image for " + shown + " cannot be read: " + unreadable.getMessage());
        }
    }

    private static Optional<String> mediaType(byte[] bytes) {
        return ImageType.of(bytes).map(ImageType::mediaType).or(() -> svg(bytes));
    }

    private static Optional<String> svg(byte[] bytes) {
        String head = new String(bytes, 0, Math.min(bytes.length, HEAD_BYTES), StandardCharsets.UTF_8)
                .strip()
                .toLowerCase(Locale.ROOT);
        return head.startsWith("<") && head.contains("<svg") ? Optional.of("image/svg+xml") : Optional.empty();
    }

    private static ToolFailure failure(String message) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, message);
    }

    @Override
    public void close() {
        folder.close();
    }
}
