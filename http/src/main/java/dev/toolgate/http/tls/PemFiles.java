package dev.toolgate.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A certificate and its private key as read from two PEM files.
 *
 * @param certificate the text of its file
 * @param key the text of its file
 */
record PemFiles(String certificate, String key) {
    private static final int MAX_BYTES = 1 << 20;

    /**
     * @throws IOException with one sentence that says which file cannot be read
     */
    static PemFiles read(TlsSettings settings) throws IOException {
        return new PemFiles(read("certificate", settings.certificate()), read("private key", settings.key()));
    }

    private static String read(String what, Path file) throws IOException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException("The file with the " + what + " is larger than 1 MB: " + file + ".");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException missing) {
            throw new IOException("The file with the " + what + " does not exist: " + file + ".", missing);
        } catch (java.nio.file.FileSystemException unreadable) {
            throw new IOException("The file with the " + what + " cannot be read: " + file + ".", unreadable);
        }
    }

    /** Leaves out the key. */
    @Override
    public String toString() {
        return "PemFiles";
    }

    /**
     * A key store with the key and its certificate chain.
     *
     * @param password of the key in the in-memory store
     * @throws IOException with one sentence that says what is wrong with the files
     */
    KeyStore store(TlsSettings settings, char[] password) throws IOException {
        List<X509Certificate> chain = chain(settings.certificate());
        PublicKey publicKey = chain.getFirst().getPublicKey();
        try {
            PrivateKey privateKey = PrivateKeyPem.parse(key, publicKey);
            requirePair(privateKey, publicKey, settings);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("toolgate", privateKey, password, chain.toArray(X509Certificate[]::new));
            return store;
        } catch (IllegalArgumentException wrong) {
            throw new IOException(
                    "The file with the private key holds no usable key: " + wrong.getMessage() + ": " + settings.key()
                            + ".",
                    wrong);
        } catch (GeneralSecurityException unusable) {
            throw new IOException(
                    "The certificate and the private key cannot be used: " + unusable.getMessage() + ".", unusable);
        }
    }

    /** When the certificate expires. */
    Instant expires(Path file) throws IOException {
        return chain(file).getFirst().getNotAfter().toInstant();
    }

    private List<X509Certificate> chain(Path file) throws IOException {
        try {
            List<X509Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.ISO_8859_1)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (!chain.isEmpty()) {
                return chain;
            }
        } catch (CertificateException unreadable) {
            throw new IOException("The file holds no certificate in readable PEM: " + file + ".", unreadable);
        }
        throw new IOException("The file holds no certificate: " + file + ".");
    }

    // Otherwise mismatched files would be noticed only by the first client.
    private static void requirePair(PrivateKey privateKey, PublicKey publicKey, TlsSettings settings)
            throws GeneralSecurityException, IOException {
        String algorithm =
                switch (privateKey.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> privateKey.getAlgorithm();
                };
        byte[] text = "toolgate".getBytes(StandardCharsets.US_ASCII);
        boolean pair;
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(privateKey);
            signer.update(text);
            byte[] signed = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(publicKey);
            verifier.update(text);
            pair = verifier.verify(signed);
        } catch (InvalidKeyException | java.security.SignatureException otherKind) {
            pair = false;
        }
        if (!pair) {
            throw new IOException("The private key in " + settings.key() + " does not match the certificate in "
                    + settings.certificate() + ".");
        }
    }
}
