package dev.toolgate.store.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/** The programs of PostgreSQL, unpacked once from the class path. */
record Binaries(Path folder) {
    /** A major version cannot read the data of another one. */
    static final String MAJOR_VERSION = "18";

    private static final String DRAFT = ".unpacking";
    private static final Pattern OURS = Pattern.compile("\\d+-[0-9a-f]{8}|\\.unpacking");

    /** The path of a program. */
    String program(String name) {
        return folder.resolve("bin")
                .resolve(PostgresPrograms.onWindows() ? name + ".exe" : name)
                .toString();
    }

    /** Unpacks the programs into a subfolder of {@code parent}, unless they already exist there. */
    static Binaries in(Path parent) throws IOException {
        URL archive = archive();
        Path folder = parent.resolve(MAJOR_VERSION + "-" + checksum(archive));
        if (!Files.isDirectory(folder)) {
            Permissions.folder(parent, "rwxr-xr-x");
            removeOlder(parent);
            Path draft = Permissions.folder(parent.resolve(DRAFT), "rwxr-xr-x");
            try (InputStream packed = archive.openStream()) {
                Archive.unpack(packed, draft);
            }
            flush(draft);
            Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
        }
        return new Binaries(folder);
    }

    private static URL archive() throws IOException {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String platform = system.startsWith("windows") ? "windows" : system.startsWith("mac") ? "darwin" : system;
        String processor = System.getProperty("os.arch", "").equals("aarch64") ? "arm_64" : "x86_64";
        URL archive = Binaries.class.getResource("/postgres-" + platform + "-" + processor + ".txz");
        if (archive == null) {
            throw new IOException("This build has no embedded PostgreSQL for " + platform + " on " + processor
                    + "; set DATABASE_URL to a PostgreSQL server, or build Toolgate on this machine.");
        }
        return archive;
    }

    /** Names the folder after its content. The jar contains the checksum; reading 15 MB would delay every start. */
    private static String checksum(URL archive) throws IOException {
        URLConnection connection = archive.openConnection();
        long sum;
        if (connection instanceof JarURLConnection jar) {
            sum = jar.getJarEntry().getCrc();
        } else {
            CheckedInputStream checked = new CheckedInputStream(connection.getInputStream(), new CRC32());
            try (checked) {
                checked.skip(Long.MAX_VALUE);
            }
            sum = checked.getChecksum().getValue();
        }
        return String.format(Locale.ROOT, "%08x", sum);
    }

    /** Deletes only folders that this class has created. */
    private static void removeOlder(Path parent) throws IOException {
        if (Files.isSymbolicLink(parent)) {
            return;
        }
        try (var older = Files.newDirectoryStream(parent)) {
            for (Path folder : older) {
                if (OURS.matcher(String.valueOf(folder.getFileName())).matches()) {
                    Permissions.delete(folder);
                }
            }
        }
    }

    /** Flushes the files before the folder gets its final name, so that a power failure leaves no partial folder. */
    private static void flush(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(file -> !Files.isSymbolicLink(file)).toList()) {
                Permissions.flush(file);
            }
        }
    }
}
