package dev.toolgate.cli.audit;

import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.store.checkpoint.CheckpointFolder;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.checkpoint.VerifierKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The options for comparing an export with checkpoints. */
final class CheckpointOptions {
    @Option(
            names = "--checkpoints",
            paramLabel = "PATH",
            description = "Compare FILE with these checkpoints: their folder or one file of it. Copy them before the"
                    + " export, so that it contains every record they cover.")
    private @Nullable Path path;

    @Option(
            names = "--checkpoint-key",
            paramLabel = "KEY",
            description =
                    "A trusted signing key, as shown by 'toolgate audit checkpoints'; may be repeated. Default: the"
                            + " keys in the folder.")
    private List<String> keys = new ArrayList<>();

    /** The checkpoints; none if the option is not given. */
    KnownCheckpoints known() throws IOException {
        Path from = path;
        if (from == null) {
            return KnownCheckpoints.none();
        }
        if (!Files.exists(from)) {
            throw new IOException("there are no checkpoints at " + from);
        }
        KnownCheckpoints known = new KnownCheckpoints(trusted(from));
        if (Files.isDirectory(from)) {
            new CheckpointFolder(from).read(known::add);
        } else {
            CheckpointFolder.readFile(from, known::add);
        }
        return known;
    }

    private List<VerifierKey> trusted(Path from) throws IOException {
        if (keys.isEmpty()) {
            Path folder = Files.isDirectory(from) ? from : from.toAbsolutePath().getParent();
            return folder == null ? List.of() : new CheckpointFolder(folder).keys();
        }
        try {
            return keys.stream().map(VerifierKey::parse).toList();
        } catch (IllegalArgumentException malformed) {
            throw new IOException(malformed.getMessage(), malformed);
        }
    }

    /** The server's checkpoints as text. */
    static String text(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        answer.path("keys").valueStream().forEach(key -> text.append("key    ")
                .append(PrintableText.of(key))
                .append('\n'));
        answer.path("places").valueStream().forEach(place -> text.append("place  ")
                .append(PrintableText.of(place.path("place")))
                .append(place.path("failure").isNull() ? "" : "  FAILS: " + PrintableText.of(place.path("failure")))
                .append('\n'));
        answer.path("notes").valueStream().forEach(note -> {
            text.append('\n');
            note.stringValue("").lines().forEach(line -> text.append(PrintableText.of(line))
                    .append('\n'));
        });
        return text.isEmpty()
                ? "Checkpoints are disabled (audit.checkpoints.enabled)."
                : text.toString().strip();
    }
}
