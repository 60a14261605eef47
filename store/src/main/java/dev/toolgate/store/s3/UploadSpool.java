package dev.toolgate.store.s3;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;

/** The folder that buffers uploads until they are complete. */
record UploadSpool(Path folder) {
    private static final String SUFFIX = ".upload";

    static UploadSpool in(Path folder) throws IOException {
        Files.createDirectories(folder);
        return new UploadSpool(folder);
    }

    Path newFile() throws IOException {
        return Files.createTempFile(folder, "artifact-", SUFFIX); // only this account can read such a file
    }

    void removeBefore(Instant time) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isBefore(time)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
