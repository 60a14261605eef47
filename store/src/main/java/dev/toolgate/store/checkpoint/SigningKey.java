package dev.toolgate.store.checkpoint;

import dev.toolgate.core.file.NewFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The key that signs checkpoints, generated once and stored in a file that only its owner can read. */
public final class SigningKey {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final int LINE = 64;

    private final PrivateKey privateKey;
    private final VerifierKey verifier;

    private SigningKey(PrivateKey privateKey, VerifierKey verifier) {
        this.privateKey = privateKey;
        this.verifier = verifier;
    }

    /** Generates a key without storing it. */
    public static SigningKey generate(String name) {
        KeyPair pair = newPair();
        return new SigningKey(pair.getPrivate(), VerifierKey.of(name, pair.getPublic()));
    }

    /**
     * Loads the key from a file, or generates it if the file does not exist.
     *
     * @param name the name of the signer in notes
     * @throws IOException if the file is invalid; its message is one sentence for the user
     */
    public static SigningKey loadOrCreate(Path file, String name) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            KeyPair pair = newPair();
            write(
                    file,
                    pem("PRIVATE KEY", pair.getPrivate().getEncoded())
                            + pem("PUBLIC KEY", pair.getPublic().getEncoded()));
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is not a regular file; move it away to generate a new checkpoint key.");
        }
        if (isPosix(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            throw new IOException(
                    file + " can be read by others; set its mode to 0600, or move it away to generate a new"
                            + " checkpoint key.");
        }
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        try {
            KeyFactory keys = KeyFactory.getInstance("Ed25519");
            PublicKey publicKey = keys.generatePublic(new X509EncodedKeySpec(block(text, "PUBLIC KEY")));
            return new SigningKey(
                    keys.generatePrivate(new PKCS8EncodedKeySpec(block(text, "PRIVATE KEY"))),
                    VerifierKey.of(name, publicKey));
        } catch (GeneralSecurityException | IllegalArgumentException damaged) {
            throw new IOException(
                    file + " does not contain an Ed25519 key pair; restore it, or move it away to generate a new one.",
                    damaged);
        }
    }

    /** The public key that verifies its signatures. */
    public VerifierKey verifier() {
        return verifier;
    }

    byte[] sign(byte[] text) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(privateKey);
            signature.update(text);
            return signature.sign();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Ed25519 is required in every Java runtime.", impossible);
        }
    }

    private static KeyPair newPair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Ed25519 is required in every Java runtime.", impossible);
        }
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }

    private static byte[] block(String text, String kind) {
        Matcher block = Pattern.compile("-----BEGIN " + kind + "-----([A-Za-z0-9+/=\\s]{1,500})-----END " + kind)
                .matcher(text);
        if (!block.find()) {
            throw new IllegalArgumentException("The file has no " + kind + " block.");
        }
        return Base64.getMimeDecoder().decode(block.group(1));
    }

    // Another instance may share the folder; if it has created the file in the meantime, its key is used.
    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        boolean _ = NewFile.create(file, text.getBytes(StandardCharsets.US_ASCII), OWNER_ONLY);
    }

    private static boolean isPosix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
