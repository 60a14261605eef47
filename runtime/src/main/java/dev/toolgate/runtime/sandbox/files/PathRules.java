package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.PathPatterns;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Checks paths against the allowed and blocked paths of a policy. */
final class PathRules {
    private final PathPatterns patterns;

    PathRules(Bounds bounds) {
        this.patterns = new PathPatterns(bounds);
    }

    /** Checks a path relative to its root, under each name of the root. */
    void check(Path relative, List<Path> rootNames, String shown) throws ToolFailure {
        Optional<String> objection = patterns.objection(relative, rootNames, shown);
        if (objection.isPresent()) {
            throw new ToolFailure(ErrorCode.CAPABILITY_DENIED, objection.get());
        }
    }
}
