package dev.toolgate.runtime.output;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Artifacts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Artifacts in a folder, one subfolder for each tenant and workspace. The names of tenants and
 * workspaces reach the disk only as hashes, and an artifact's own name is random, so nothing that a
 * caller chooses is ever part of a path.
 */
public final class DiskArtifacts implements Artifacts {
    private static final Pattern URI = Pattern.compile("workspaces/([^/]+)/artifacts/(art_[0-9a-f-]{36})");

    private final Path folder;
    private final SpoolFolder incoming;

    private DiskArtifacts(Path folder) throws IOException {
        this.folder = folder;
        this.incoming = SpoolFolder.open(folder.resolve("incoming"));
    }

    /** Opens the store in this folder, creating it if need be. */
    public static DiskArtifacts in(Path folder) throws IOException {
        PrivateFolder.create(folder);
        return new DiskArtifacts(folder.toRealPath());
    }

    @Override
    public Artifact store(Caller owner, Artifact artifact) throws IOException {
        String workspace = inUri(owner.workspace().value());
        String id = "art_" + UUID.randomUUID();
        Path shelf = shelf(owner.tenant(), workspace);
        PrivateFolder.create(shelf);
        Path file = shelf.resolve(id);
        switch (artifact.content()) {
            case Content.InFile given -> moveIn(given.file(), file);
            case Content.InMemory given -> copyIn(given, file);
            case Content.Elsewhere given -> throw new IOException("An artifact that is stored cannot be stored again.");
        }
        return artifact.storedAt(
                "workspaces/" + workspace + "/artifacts/" + id,
                Content.in(file, artifact.content().size()));
    }

    @Override
    public Optional<Content> find(TenantId tenant, String uri) throws IOException {
        Matcher parts = URI.matcher(uri);
        if (!parts.matches()) {
            return Optional.empty();
        }
        Path file = shelf(tenant, parts.group(1)).resolve(parts.group(2));
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? Optional.of(Content.in(file, Files.size(file)))
                : Optional.empty();
    }

    private void moveIn(Path given, Path file) throws IOException {
        if (!Files.isRegularFile(given, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("An artifact's content must be a regular file.");
        }
        if (given.toRealPath().startsWith(folder)) {
            copyIn(Content.in(given, Files.size(given)), file); // it is somebody's artifact already, and stays theirs
            return;
        }
        try {
            Files.move(given, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherDisk) {
            copyIn(Content.in(given, Files.size(given)), file);
            Files.delete(given);
        }
    }

    // In another place first, so that nobody ever finds half an artifact.
    private void copyIn(Content content, Path file) throws IOException {
        Path part = incoming.newFile();
        try (InputStream bytes = content.open()) {
            try (OutputStream out = Files.newOutputStream(part)) {
                bytes.transferTo(out);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private Path shelf(TenantId tenant, String workspaceInUri) {
        return folder.resolve(hash(tenant.value())).resolve(hash(workspaceInUri));
    }

    private static String inUri(String workspace) {
        return URLEncoder.encode(workspace, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String hash(String name) {
        try {
            // Char by char: an encoder would give two names with different broken characters the same bytes.
            ByteBuffer chars = ByteBuffer.allocate(name.length() * Character.BYTES);
            chars.asCharBuffer().put(name);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(chars.array()));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java has SHA-256.", impossible);
        }
    }
}
