package dev.toolgate.runtime.sandbox.command.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The mounts of one process, from {@code /proc/PID/mountinfo}. */
record MountTable(List<Mount> mounts) {
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

    /**
     * One mount.
     *
     * @param device the file system
     * @param root the mounted path within the file system
     * @param point the mount point
     */
    record Mount(String device, Path root, Path point, Access access, String type) {}

    /** Whether a mount can be written to. */
    enum Access {
        READ_ONLY,
        READ_WRITE
    }

    /** The location of a file or folder independent of mounts: the file system, and the path in it. */
    record Place(String device, Path path) {}

    /** The mounts of a process; {@code self} for this one. */
    static MountTable of(String process) throws IOException {
        List<Mount> mounts = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc", process, "mountinfo"))) {
            String[] words = line.split(" ");
            int dash = List.of(words).indexOf("-");
            mounts.add(new Mount(
                    words[2],
                    Path.of(plain(words[3])),
                    Path.of(plain(words[4])),
                    List.of(words[5].split(",")).contains("ro") ? Access.READ_ONLY : Access.READ_WRITE,
                    words[dash + 1]));
        }
        return new MountTable(List.copyOf(mounts));
    }

    private static String plain(String text) {
        Matcher escapes = ESCAPED.matcher(text);
        return escapes.replaceAll(
                found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 8))));
    }

    /** The location of a path, which must not contain a link. */
    Optional<Place> placeOf(Path path) {
        return mounts.reversed().stream()
                .filter(mount -> path.startsWith(mount.point()))
                .max(Comparator.comparingInt(mount -> mount.point().getNameCount()))
                .map(mount -> new Place(
                        mount.device(), mount.root().resolve(mount.point().relativize(path))));
    }

    /** Whether something is mounted at exactly this path. */
    boolean hasPoint(Path path) {
        return mounts.stream().anyMatch(mount -> mount.point().equals(path));
    }

    /** The mounts at or beneath a path, in mount order. */
    List<Mount> beneath(Path path) {
        return mounts.stream().filter(mount -> mount.point().startsWith(path)).toList();
    }

    /** The visible mount at a mount point: the latest one. */
    Optional<Mount> top(Path point) {
        return mounts.reversed().stream()
                .filter(mount -> mount.point().equals(point))
                .findFirst();
    }
}
