package dev.toolgate.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether exactly the migrations of this program were applied last. Flyway checks that too, but takes an eighth of the
 * start-up time, so it runs only if they differ or this is unknown.
 */
final class AppliedMigrations {
    private static final Logger LOG = LoggerFactory.getLogger(AppliedMigrations.class);

    private final String fingerprint;

    private AppliedMigrations(String fingerprint) {
        this.fingerprint = fingerprint;
    }

    /** The migrations in a folder of the class path. */
    static AppliedMigrations in(String folder) throws IOException {
        return in(AppliedMigrations.class.getClassLoader(), folder);
    }

    static AppliedMigrations in(ClassLoader program, String folder) throws IOException {
        URL place = program.getResource(folder);
        if (place == null) {
            throw new IOException("The program has no migrations in " + folder + ".");
        }
        MessageDigest digest = sha256();
        for (Map.Entry<String, byte[]> file : contents(place, folder).entrySet()) {
            digest.update((file.getKey() + "\n" + file.getValue().length + "\n").getBytes(StandardCharsets.UTF_8));
            digest.update(file.getValue());
        }
        return new AppliedMigrations(HexFormat.of().formatHex(digest.digest()));
    }

    String fingerprint() {
        return fingerprint;
    }

    /** Whether they were applied last; false if unknown. */
    boolean areCurrent(Connection connection) {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("SELECT fingerprint FROM applied_migrations")) {
            return row.next() && fingerprint.equals(row.getString(1));
        } catch (SQLException unknown) {
            LOG.debug("The applied migrations are unknown", unknown);
            return false;
        }
    }

    /** Stores that they have been applied. */
    void remember(Connection connection) throws SQLException {
        try (PreparedStatement upsert = connection.prepareStatement("""
                INSERT INTO applied_migrations (fingerprint) VALUES (?)
                ON CONFLICT (singleton) DO UPDATE SET fingerprint = excluded.fingerprint""")) {
            upsert.setString(1, fingerprint);
            upsert.executeUpdate();
        }
    }

    /** The files by their names, in order. */
    private static Map<String, byte[]> contents(URL place, String folder) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        URLConnection connection = place.openConnection();
        if (connection instanceof JarURLConnection jarConnection) {
            jarConnection.setUseCaches(false);
            try (JarFile jar = jarConnection.getJarFile()) {
                for (JarEntry entry : jar.stream().toList()) {
                    if (entry.getName().startsWith(folder + "/") && !entry.isDirectory()) {
                        try (InputStream content = jar.getInputStream(entry)) {
                            files.put(entry.getName().substring(folder.length() + 1), content.readAllBytes());
                        }
                    }
                }
            }
            return files;
        }
        Path directory = Path.of(uri(place));
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                files.put(directory.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static URI uri(URL place) throws IOException {
        try {
            return place.toURI();
        } catch (URISyntaxException unreadable) {
            throw new IOException("The migrations at " + place + " cannot be read.", unreadable);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
