package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.files.OpenFile;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import java.io.IOException;

/** What a file held at one moment, as far as a diff needs it. */
sealed interface Snapshot {
    /** Larger files are not kept for diffs. */
    int LARGEST = 1 << 20;

    /** There was no file. */
    record Absent() implements Snapshot {}

    /** The content. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    record Held(byte[] bytes) implements Snapshot {}

    /** There was a file, but its content is too large or cannot be read. */
    record NotHeld(String why) implements Snapshot {}

    static Snapshot of(byte[] content) {
        return content.length > LARGEST ? new NotHeld(content.length + " bytes") : new Held(content);
    }

    static Snapshot of(WorkspaceFile file) throws InterruptedException {
        try (OpenFile open = file.open()) {
            return open.size() > LARGEST
                    ? new NotHeld(open.size() + " bytes")
                    : of(Bytes.read(open.channel(), LARGEST + 1));
        } catch (ToolFailure failure) {
            return failure.failure().code() == ErrorCode.FILE_NOT_FOUND ? new Absent() : new NotHeld("not readable");
        } catch (IOException trouble) {
            return new NotHeld("not readable");
        }
    }
}
