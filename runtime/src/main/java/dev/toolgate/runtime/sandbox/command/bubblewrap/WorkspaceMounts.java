package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.bubblewrap.VisibleParts.Writing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The part of bubblewrap's line that shows a workspace: what of it is visible, and within that what
 * is covered.
 *
 * @param empty what a covered file looks like from inside
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
        // A mount point cannot be renamed, but a folder above it can: so those are mounts as well.
        TreeSet<Path> above = new TreeSet<>();
        List<BindSource> settled = settled();
        Stream.concat(covered.stream(), settled.stream()).forEach(special -> {
            for (Path up = special.path().getParent(); up != null && isStrictlyShown(up); up = up.getParent()) {
                above.add(up);
            }
        });
        above.remove(repository); // a mount already, with others in it
        above.forEach(folder -> arguments.addAll(Mounts.bind(isWritable(folder) ? "--bind" : "--ro-bind", folder)));
        settled.forEach(file -> arguments.addAll(Mounts.bind("--ro-bind", file.path())));
        for (BindSource hidden : covered) {
            arguments.addAll(
                    hidden.kind() == BindSource.Kind.FOLDER
                            ? Mounts.emptyFolder(hidden.path())
                            : Mounts.hide(empty, hidden.path()));
        }
        return arguments;
    }

    /** Where only parts are allowed: an empty folder that nobody can write to, and the parts in it. */
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

    /** What is visible and must not be; nothing can be covered in a folder that is covered itself. */
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

    private List<BindSource> settled() {
        return workspace.settled().stream()
                .filter(file -> parts.shows(file.path()))
                .filter(file -> covering().noneMatch(hidden -> file.path().startsWith(hidden.path())))
                .toList();
    }

    // A part of the repository that is shown by itself is read-only, and so is what is in it.
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

    // What is in the repository is git's own affair, so a part of it is only ever shown.
    private List<String> bind(Path path) {
        boolean readOnly = parts.writing() == Writing.OUTPUTS
                || path.startsWith(workspace.path().resolve(".git"));
        return Mounts.bind(readOnly ? "--ro-bind" : "--bind", path);
    }
}
