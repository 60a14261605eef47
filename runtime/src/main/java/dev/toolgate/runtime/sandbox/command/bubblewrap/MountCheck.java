package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.bubblewrap.MountTable.Access;
import dev.toolgate.runtime.sandbox.command.bubblewrap.MountTable.Mount;
import dev.toolgate.runtime.sandbox.command.bubblewrap.MountTable.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Verifies the mounts of a sandbox after setup, before its command runs. While other commands run in the workspace, one
 * of them may have replaced a folder by a link at the moment it was mounted. The kernel records the true source of
 * every mount, and mounts do not change afterwards; so a sandbox with exactly the expected mounts shows nothing else.
 */
final class MountCheck {
    private static final String TMPFS = "tmpfs";

    /** The expected mount at one path. */
    private sealed interface Wanted {
        record Bound(Path source, Access access) implements Wanted {}

        record Empty() implements Wanted {}
    }

    private final Path workspace;
    private final Map<Path, Wanted> wanted = new LinkedHashMap<>();

    /** @param line the command line of the sandbox */
    MountCheck(Path workspace, List<String> line) {
        this.workspace = workspace;
        for (int i = 0; i + 2 < line.size(); i++) {
            switch (line.get(i)) {
                case "--bind" -> want(line.get(i + 2), new Wanted.Bound(Path.of(line.get(i + 1)), Access.READ_WRITE));
                case "--ro-bind" -> want(line.get(i + 2), new Wanted.Bound(Path.of(line.get(i + 1)), Access.READ_ONLY));
                case "--tmpfs" -> want(line.get(i + 1), new Wanted.Empty());
                default -> {}
            }
        }
    }

    private void want(String place, Wanted what) {
        Path point = Path.of(place);
        if (point.startsWith(workspace)) {
            wanted.put(point, what); // a later mount at the same path covers the earlier one
        }
    }

    /** The first deviation in the sandbox of this process; empty if there is none. */
    Optional<String> problem(long process) throws IOException {
        MountTable outside = MountTable.of("self");
        MountTable inside = MountTable.of(String.valueOf(process));
        for (Map.Entry<Path, Wanted> each : wanted.entrySet()) {
            Optional<Mount> top = inside.top(each.getKey());
            if (top.isEmpty() || !fits(top.get(), each.getValue(), outside)) {
                return Optional.of(each.getKey() + " is not the expected mount");
            }
        }
        return inside.beneath(workspace).stream()
                .filter(mount -> !isExpected(mount, outside))
                .map(mount -> mount.point() + " is an unexpected mount")
                .findFirst();
    }

    private static boolean fits(Mount mount, Wanted what, MountTable outside) {
        return switch (what) {
            case Wanted.Bound bound ->
                isAt(mount, bound.source(), outside)
                        && (bound.access() == Access.READ_WRITE || mount.access() == Access.READ_ONLY);
            case Wanted.Empty _ -> mount.type().equals(TMPFS) && mount.root().equals(Path.of("/"));
        };
    }

    // Also allowed: mounts covered by expected ones, and file systems mounted inside the workspace outside the sandbox
    // too.
    private boolean isExpected(Mount mount, MountTable outside) {
        return wanted.containsKey(mount.point())
                ? !mount.type().equals(TMPFS) ? isKnownSource(mount, outside) : true
                : outside.hasPoint(mount.point()) && isAt(mount, mount.point(), outside);
    }

    private boolean isKnownSource(Mount mount, MountTable outside) {
        return isAt(mount, mount.point(), outside)
                || wanted.values().stream()
                        .anyMatch(what -> what instanceof Wanted.Bound bound && isAt(mount, bound.source(), outside));
    }

    private static boolean isAt(Mount mount, Path source, MountTable outside) {
        return outside.placeOf(source)
                .filter(place -> place.equals(new Place(mount.device(), mount.root())))
                .isPresent();
    }
}
