package dev.toolgate.client;

import dev.toolgate.client.model.Artifact;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;

/** Stored output of tools and agents. */
public final class Artifacts {
    private final Connection connection;

    Artifacts(Connection connection) {
        this.connection = connection;
    }

    /** The artifacts of a workspace, newest first. */
    public Stream<Artifact> list(String workspace) {
        return Pages.of(connection, path(workspace), Artifact.class);
    }

    /** Stores bytes. */
    public Artifact upload(String workspace, String name, String mediaType, byte[] content) {
        return upload(workspace, name, mediaType, BodyPublishers.ofByteArray(content));
    }

    /** Stores a file, which is sent as it is read. */
    public Artifact upload(String workspace, String mediaType, Path file) throws FileNotFoundException {
        return upload(workspace, String.valueOf(file.getFileName()), mediaType, BodyPublishers.ofFile(file));
    }

    /** The content of an artifact, for the caller to close. */
    public InputStream read(String workspace, String artifactId) {
        return open(workspace, artifactId).body();
    }

    /** Saves an artifact to a file, which is created only after a complete download with the right hash. */
    public void download(String workspace, String artifactId, Path file) throws IOException {
        HttpResponse<InputStream> response = open(workspace, artifactId);
        Path folder = file.toAbsolutePath().getParent();
        Path part = Files.createTempFile(folder == null ? Path.of(".") : folder, ".artifact", ".part");
        try (InputStream body = response.body()) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            Files.copy(new DigestInputStream(body, digest), part, StandardCopyOption.REPLACE_EXISTING);
            String hash = '"' + HexFormat.of().formatHex(digest.digest()) + '"';
            String expected = response.headers().firstValue("ETag").orElse(hash);
            if (!expected.equals(hash)) {
                throw new IOException(
                        "Artifact " + artifactId + " was not downloaded completely; its hash is not " + expected);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Deletes an artifact. */
    public void delete(String workspace, String artifactId) {
        connection.send(Request.delete(Request.path(path(workspace), artifactId)));
    }

    private Artifact upload(String workspace, String name, String mediaType, BodyPublisher content) {
        Request request = new Request(
                "POST",
                Request.query(path(workspace), "name", name),
                Map.of("Content-Type", mediaType),
                content,
                Request.Repeat.HARMFUL);
        return Json.read(connection.send(request).json(), Artifact.class);
    }

    private HttpResponse<InputStream> open(String workspace, String artifactId) {
        return connection.open(Request.get(Request.path(path(workspace), artifactId)));
    }

    private static String path(String workspace) {
        return Request.path("/workspaces", workspace) + "/artifacts";
    }
}
