package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.undo.KeptState;
import dev.toolgate.runtime.sandbox.files.OpenFile;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import java.io.IOException;

/** The content of a file at one moment, for diffs. */
sealed interface Snapshot {
    /** Larger files are not kept for diffs. */
    int MAX_BYTES = 1 << 20;

    /** The file did not exist. */
    record Absent() implements Snapshot {}

    /**
     * The content.
     *
     * @param permissions read, write and execute bits; 0 if they do not matter
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    record Held(byte[] bytes, int permissions) implements Snapshot {}

    /** The file existed, but is too large or unreadable. */
    record NotHeld(String why) implements Snapshot {}

    static Snapshot of(byte[] content) {
        return of(content, 0);
    }

    private static Snapshot of(byte[] content, int permissions) {
        return content.length > MAX_BYTES ? new NotHeld(content.length + " bytes") : new Held(content, permissions);
    }

    static Snapshot of(KeptState state) {
        return switch (state) {
            case KeptState.Absent absent -> new Absent();
            case KeptState.Present(byte[] content, int mode) -> of(content, mode);
        };
    }

    static Snapshot of(WorkspaceFile file) throws InterruptedException {
        try (OpenFile open = file.open()) {
            return open.size() > MAX_BYTES
                    ? new NotHeld(open.size() + " bytes")
                    : of(Bytes.read(open.channel(), MAX_BYTES + 1), open.permissions());
        } catch (ToolFailure failure) {
            return failure.failure().code() == ErrorCode.FILE_NOT_FOUND ? new Absent() : new NotHeld("not readable");
        } catch (IOException trouble) {
            return new NotHeld("not readable");
        }
    }
}
