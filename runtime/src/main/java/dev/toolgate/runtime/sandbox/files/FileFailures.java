package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The failures of file operations. */
final class FileFailures {
    private FileFailures() {}

    static ToolFailure notFound(String shown) {
        return new ToolFailure(ErrorCode.FILE_NOT_FOUND, "file not found: " + shown);
    }

    static ToolFailure notAFolder(String shown) {
        return new ToolFailure(
                ErrorCode.FILE_NOT_FOUND, "file not found: " + shown + " (a part of the path is not a folder)");
    }

    static ToolFailure outside(String shown) {
        return new ToolFailure(
                ErrorCode.PERMISSION_DENIED, "Refused: '" + shown + "' leads outside the sandbox (path traversal)");
    }

    static ToolFailure wrongKind(FileKind kind, String shown) {
        return new ToolFailure(
                ErrorCode.INVALID_REQUEST, "'" + shown + "' is a " + kind.word() + "; this tool takes regular files");
    }

    static ToolFailure notForListing(FileKind kind, String shown) {
        return new ToolFailure(
                ErrorCode.INVALID_REQUEST, "'" + shown + "' is a " + kind.word() + "; only a folder can be listed");
    }

    static ToolFailure hardLink(String shown) {
        return new ToolFailure(
                ErrorCode.PERMISSION_DENIED,
                "Refused: '" + shown + "' is a hard link, so its content may belong to a file outside the sandbox");
    }

    static ToolFailure danglingLink(String shown) {
        return new ToolFailure(
                ErrorCode.PERMISSION_DENIED,
                "Refused: '" + shown + "' is a symbolic link that is broken or leads outside the sandbox");
    }

    static ToolFailure notPermitted(String shown) {
        return new ToolFailure(
                ErrorCode.PERMISSION_DENIED, "The operating system does not permit access to '" + shown + "'");
    }

    static ToolFailure changedWhileOpening(String shown) {
        return new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED,
                "'" + shown + "' changed while it was being opened; nothing was done, try again");
    }

    static ToolFailure of(IOException trouble, String shown) {
        return switch (trouble) {
            case NoSuchFileException gone -> notFound(shown);
            case NotDirectoryException other -> notAFolder(shown);
            case AccessDeniedException refused -> notPermitted(shown);
            default ->
                new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED, "'" + shown + "' could not be accessed: " + reason(trouble));
        };
    }

    private static String reason(IOException trouble) {
        String message = trouble.getMessage();
        return message == null ? trouble.getClass().getSimpleName() : message;
    }
}
