package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.bubblewrap.VisibleParts.Writing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Builds the bubblewrap arguments that mount a workspace: its visible parts, and the masks over secrets in them.
 *
 * @param empty an empty file, mounted over masked files
 */
record WorkspaceMounts(WorkspaceShape workspace, VisibleParts parts, Path empty) {
    private static final long SKELETON = 1L << 20;

    List<String> arguments(List<String> git) {
        List<String> arguments = new ArrayList<>();
        if (parts.shown().contains(workspace.root())) {
            arguments.addAll(bind(workspace.path()));
        } else {
            arguments.addAll(skeleton());
        }
        Path repository = workspace.path().resolve(".git");
        if (parts.writing() == Writing.EVERYWHERE && parts.shows(repository)) {
            arguments.addAll(git);
        }
        List<BindSource> covered = covered();
        // A mount point cannot be renamed but its parent folders can, so they become mounts as well.
        TreeSet<Path> above = new TreeSet<>();
        List<BindSource> readOnly = readOnly();
        Stream.concat(covered.stream(), readOnly.stream()).forEach(special -> {
            for (Path up = special.path().getParent(); up != null && isStrictlyShown(up); up = up.getParent()) {
                above.add(up);
            }
        });
        above.remove(repository); // already a mount, with others in it
        above.forEach(folder -> arguments.addAll(Mounts.bind(isWritable(folder) ? "--bind" : "--ro-bind", folder)));
        readOnly.forEach(file -> arguments.addAll(Mounts.bind("--ro-bind", file.path())));
        for (BindSource hidden : covered) {
            arguments.addAll(
                    hidden.kind() == BindSource.Kind.FOLDER
                            ? Mounts.emptyFolder(hidden.path())
                            : Mounts.hide(empty, hidden.path()));
        }
        return arguments;
    }

    /** If only parts are visible: an empty read-only folder with the parts mounted in it. */
    private List<String> skeleton() {
        List<String> arguments = new ArrayList<>(Mounts.tmpfs(workspace.path().toString(), "0755", SKELETON));
        parts.shown().stream()
                .filter(part -> covering().noneMatch(hidden -> part.path().startsWith(hidden.path())))
                .sorted((one, two) -> one.path().compareTo(two.path()))
                .forEach(part -> arguments.addAll(bind(part.path())));
        parts.outputs()
                .forEach((place, file) -> arguments.addAll(List.of("--bind", file.toString(), place.toString())));
        arguments.addAll(List.of("--remount-ro", workspace.path().toString()));
        return arguments;
    }

    private Stream<BindSource> covering() {
        return Stream.concat(workspace.secrets().stream(), parts.covered().stream());
    }

    /** What must be masked, without entries inside a masked folder. */
    private List<BindSource> covered() {
        List<BindSource> all = covering()
                .filter(hidden -> parts.shows(hidden.path()) || !hidden.path().startsWith(workspace.path()))
                .distinct()
                .toList();
        return all.stream()
                .filter(hidden -> all.stream()
                        .noneMatch(
                                other -> !other.equals(hidden) && hidden.path().startsWith(other.path())))
                .toList();
    }

    private List<BindSource> readOnly() {
        return workspace.readOnly().stream()
                .filter(file -> parts.shows(file.path()))
                .filter(file -> covering().noneMatch(hidden -> file.path().startsWith(hidden.path())))
                .toList();
    }

    // A part of the repository that is mounted separately is read-only.
    private boolean isWritable(Path folder) {
        Path repository = workspace.path().resolve(".git");
        return parts.writing() == Writing.EVERYWHERE
                && parts.shown().stream()
                        .noneMatch(part -> part.path().startsWith(repository) && folder.startsWith(part.path()));
    }

    private boolean isStrictlyShown(Path folder) {
        return parts.shows(folder)
                && parts.shown().stream().noneMatch(part -> part.path().equals(folder));
    }

    // Parts of the repository belong to git, so they are mounted read-only.
    private List<String> bind(Path path) {
        boolean readOnly = parts.writing() == Writing.OUTPUTS
                || path.startsWith(workspace.path().resolve(".git"));
        return Mounts.bind(readOnly ? "--ro-bind" : "--bind", path);
    }
}
