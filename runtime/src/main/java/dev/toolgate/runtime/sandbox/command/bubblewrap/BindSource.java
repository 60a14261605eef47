package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** A path to be mounted into a sandbox, with its file attributes, read without following links. */
record BindSource(Path path, long device, long inode, Kind kind, Object changed) {

    enum Kind {
        FILE,
        FOLDER,
        LINK,
        OTHER
    }

    private static final int TYPE = 0170000;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int SYMLINK = 0120000;

    static BindSource look(Path path) throws IOException {
        Map<String, Object> stat = Files.readAttributes(path, "unix:dev,ino,mode,ctime", LinkOption.NOFOLLOW_LINKS);
        return new BindSource(
                path,
                number(stat, "dev"),
                number(stat, "ino"),
                kind((int) number(stat, "mode")),
                Objects.requireNonNull(stat.get("ctime")));
    }

    private static long number(Map<String, Object> stat, String name) {
        return ((Number) Objects.requireNonNull(stat.get(name))).longValue();
    }

    /**
     * Whether it still exists and no entry in it was added, removed or replaced. Compares ctime as well, because inode
     * numbers of deleted files are reused.
     */
    boolean isUnchanged() {
        try {
            return equals(look(path));
        } catch (IOException gone) {
            return false;
        }
    }

    /**
     * Refuses a path with a symbolic link anywhere in it: an earlier command may have created it to get another folder
     * mounted into the next sandbox.
     */
    static BindSource withoutLinks(Path path) throws ToolFailure {
        if (!path.isAbsolute() || !path.equals(path.normalize())) {
            throw refusal(path + " cannot be used in a sandbox; give it as an absolute path without . and ..");
        }
        try {
            for (Path step = path.getParent(); step != null; step = step.getParent()) {
                refuseLink(look(step), path);
            }
            BindSource source = look(path);
            refuseLink(source, path);
            return source;
        } catch (IOException unreadable) {
            throw refusal(path + " cannot be used in a sandbox because it does not exist or cannot be read; check"
                    + " the path and its permissions");
        }
    }

    private static void refuseLink(BindSource step, Path whole) throws ToolFailure {
        if (step.kind == Kind.LINK) {
            throw refusal("No command can run here because " + step.path + " is a symbolic link"
                    + (step.path.equals(whole) ? "" : " on the way to " + whole)
                    + ", which could point the sandbox to another folder; replace it with its target");
        }
    }

    private static Kind kind(int mode) {
        return switch (mode & TYPE) {
            case REGULAR -> Kind.FILE;
            case DIRECTORY -> Kind.FOLDER;
            case SYMLINK -> Kind.LINK;
            default -> Kind.OTHER;
        };
    }

    static ToolFailure refusal(String sentence) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, sentence);
    }
}
