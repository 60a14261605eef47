package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.call.Bounds;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The environment of a command where only some commands are allowed: PATH has system folders only, and variables are
 * removed that make the shell, the loader or git run other programs.
 */
final class LimitedEnvironment {
    private static final String SYSTEM_FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final Pattern UNSAFE_VARIABLES = Pattern.compile(
            "PATH|ENV|IFS|CDPATH|GLOBIGNORE|PS[0-9]|PROMPT_COMMAND|SHELLOPTS|BASH.*|LD_.*|DYLD_.*|GCONV_PATH");

    private LimitedEnvironment() {}

    /** The variables permitted by the bounds of a call; all of them if it does not limit commands. */
    static Map<String, String> of(Map<String, String> environment, Bounds bounds, Path workspace) {
        if (!bounds.limitsCommands()) {
            return environment;
        }
        Map<String, String> limited = new TreeMap<>(environment);
        limited.keySet().removeIf(name -> UNSAFE_VARIABLES.matcher(name).matches());
        limited.put("PATH", SYSTEM_FOLDERS);
        if (bounds.allowedCommands() != null) {
            limited.putAll(git(workspace));
        }
        return limited;
    }

    /**
     * A caller could write git settings that start programs into a home folder or any repository except the protected
     * one of the workspace. So git is pinned to that repository, and pager and editor are disabled.
     */
    private static Map<String, String> git(Path workspace) {
        Path repository = workspace.resolve(".git");
        boolean own = Files.isDirectory(repository, LinkOption.NOFOLLOW_LINKS);
        return Map.of(
                "GIT_DIR", own ? repository.toString() : "/dev/null",
                "GIT_WORK_TREE", workspace.toString(),
                "GIT_CONFIG_GLOBAL", "/dev/null",
                "GIT_PAGER", "cat",
                "GIT_EDITOR", "false",
                "GIT_SEQUENCE_EDITOR", "false",
                "GIT_TERMINAL_PROMPT", "0");
    }
}
