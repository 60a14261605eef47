package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;

/** Maps Linux error numbers to failures of file tools. */
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EEXIST = 17;
    static final int EXDEV = 18;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int ENOSPC = 28;
    static final int EROFS = 30;
    static final int ENAMETOOLONG = 36;
    static final int ELOOP = 40;
    static final int EDQUOT = 122;

    private Errno() {}

    /** The failure for a negative result of {@link LinuxFiles}. */
    static ToolFailure failure(int result, String shown) {
        return switch (-result) {
            case ENOENT -> FileFailures.notFound(shown);
            case ENOTDIR -> FileFailures.notAFolder(shown);
            case EISDIR -> FileFailures.wrongKind(FileKind.FOLDER, shown);
            case EXDEV -> FileFailures.outside(shown);
            case ELOOP ->
                new ToolFailure(
                        ErrorCode.PERMISSION_DENIED,
                        "Refused: the links of '" + shown + "' form a loop or lead outside the sandbox");
            case EACCES, EPERM -> FileFailures.notPermitted(shown);
            case EROFS -> new ToolFailure(ErrorCode.PERMISSION_DENIED, "'" + shown + "' is on a read-only file system");
            case ENAMETOOLONG ->
                new ToolFailure(ErrorCode.INVALID_REQUEST, "Field 'path': a name in it is longer than 255 bytes");
            case ENOSPC, EDQUOT ->
                new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED, "There is no space left on the disk of '" + shown + "'");
            case EMFILE, ENFILE ->
                new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "Too many open files to access '" + shown + "'; try again or raise the limit");
            case EAGAIN -> FileFailures.changedWhileOpening(shown);
            default ->
                new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "The operating system refused '" + shown + "' with error number " + -result);
        };
    }
}
