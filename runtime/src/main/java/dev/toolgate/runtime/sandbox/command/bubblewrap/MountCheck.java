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
 * Looks at what a sandbox really shows, after it was set up and before its command runs. While other commands run in the
 * workspace, one of them may have put a link in the place of a folder at the moment it was mounted. The kernel knows
 * what every mount is made of, however it got there, and no mount changes any more; so a sandbox with exactly the
 * mounts that its line asks for shows nothing else.
 */
final class MountCheck {
    private static final String TMPFS = "tmpfs";

    /** What is wanted at one place. */
    private sealed interface Wanted {
        record Bound(Path source, Access access) implements Wanted {}

        record Empty() implements Wanted {}
    }

    private final Path workspace;
    private final Map<Path, Wanted> wanted = new LinkedHashMap<>();

    /**
     * @param line the line that starts the sandbox
     */
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
            wanted.put(point, what); // of two at one place, the later one covers the earlier
        }
    }

    /** What is not as it should be in the sandbox of this process; empty if all is. */
    Optional<String> complaint(long process) throws IOException {
        MountTable outside = MountTable.of("self");
        MountTable inside = MountTable.of(String.valueOf(process));
        for (Map.Entry<Path, Wanted> each : wanted.entrySet()) {
            Optional<Mount> top = inside.top(each.getKey());
            if (top.isEmpty() || !fits(top.get(), each.getValue(), outside)) {
                return Optional.of(each.getKey() + " is not what was to be mounted there");
            }
        }
        return inside.beneath(workspace).stream()
                .filter(mount -> !isExpected(mount, outside))
                .map(mount -> mount.point() + " shows something of elsewhere")
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

    // Beside what was asked for: what lies beneath it, and file systems that are mounted inside the workspace anyway.
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
