package dev.toolgate.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for localhost, made by this Java's keytool. */
public record TestCertificate(X509Certificate certificate, PrivateKey key) {
    private static final char[] PASSWORD = "password".toCharArray();

    /** Formats of private keys. */
    public enum Form {
        PKCS8,
        /** PKCS#1 for RSA, SEC1 for EC. */
        TRADITIONAL
    }

    /**
     * Creates a certificate.
     *
     * @param algorithm EC or RSA
     */
    public static TestCertificate make(String algorithm, String name) {
        try {
            Path folder = Files.createTempDirectory("certificate");
            Path store = folder.resolve("store.p12");
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "one",
                            "-keyalg",
                            algorithm,
                            "-dname",
                            "CN=" + name,
                            "-ext",
                            "san=dns:localhost,ip:127.0.0.1",
                            "-validity",
                            "365",
                            "-storetype",
                            "PKCS12",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            new String(PASSWORD))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, PASSWORD);
            }
            Files.delete(store);
            Files.delete(folder);
            return new TestCertificate(
                    (X509Certificate) made.getCertificate("one"), (PrivateKey) made.getKey("one", PASSWORD));
        } catch (IOException | GeneralSecurityException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Writes both files atomically, the key first. */
    public void write(Path certificateFile, Path keyFile, Form form) throws IOException {
        replace(keyFile, keyPem(form));
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
        replace(certificateFile, certificatePem());
    }

    private static void replace(Path file, String text) throws IOException {
        Path fresh = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
        Files.move(fresh, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    public String certificatePem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException failed) {
            throw new IllegalStateException(failed);
        }
    }

    public String keyPem(Form form) {
        return switch (form) {
            case PKCS8 -> pem("PRIVATE KEY", key.getEncoded());
            case TRADITIONAL -> pem(key.getAlgorithm() + " PRIVATE KEY", inner(key.getEncoded()));
        };
    }

    /** The octet string within PKCS#8, which is the traditional format. */
    private static byte[] inner(byte[] pkcs8) {
        int at = content(pkcs8, 0); // the sequence
        at = content(pkcs8, at) + length(pkcs8, at); // past the version
        at = content(pkcs8, at) + length(pkcs8, at); // past the algorithm
        int begin = content(pkcs8, at);
        return Arrays.copyOfRange(pkcs8, begin, begin + length(pkcs8, at));
    }

    private static int content(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return first < 0x80
                ? first
                : Integer.parseInt(HexFormat.of().formatHex(der, at + 2, at + 2 + (first & 0x7F)), 16);
    }

    private static String pem(String kind, byte[] der) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + kind + "-----\n";
    }

    /** A client context that trusts only these certificates. */
    public static SSLContext trusting(TestCertificate... certificates) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (TestCertificate one : certificates) {
                store.setCertificateEntry(
                        one.certificate.getSubjectX500Principal().getName(), one.certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
