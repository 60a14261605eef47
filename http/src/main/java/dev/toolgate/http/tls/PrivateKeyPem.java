package dev.toolgate.http.tls;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses PEM private keys: PKCS#8, PKCS#1 (RSA) and SEC1 (EC). */
final class PrivateKeyPem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----([^-]*)-----END \\1-----");
    private static final byte[] RSA = {0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 1, 1, 1};
    private static final byte[] EC = {0x06, 0x07, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};
    private static final byte[] NULL = {0x05, 0x00};
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;

    private PrivateKeyPem() {}

    /**
     * Parses a private key.
     *
     * @param publicKey its public key, which gives the curve of an EC key
     * @throws IllegalArgumentException if there is no readable key
     */
    static PrivateKey parse(String text, PublicKey publicKey) throws GeneralSecurityException {
        Matcher block = BLOCK.matcher(text);
        if (!block.find()) {
            throw new IllegalArgumentException("there is no PRIVATE KEY block");
        }
        String kind = block.group(1);
        String body = block.group(2);
        if (kind.equals("ENCRYPTED PRIVATE KEY") || body.contains("ENCRYPTED")) {
            throw new IllegalArgumentException(
                    "it is encrypted, and the server cannot ask for the password; decrypt it, for example with"
                            + " openssl pkey");
        }
        byte[] der = Base64.getMimeDecoder().decode(body);
        return switch (kind) {
            case "PRIVATE KEY" -> pkcs8(der, publicKey.getAlgorithm());
            case "RSA PRIVATE KEY" -> pkcs8(wrapped(join(RSA, NULL), der), "RSA");
            case "EC PRIVATE KEY" -> pkcs8(wrapped(join(EC, curve(publicKey)), der), "EC");
            default -> throw new IllegalArgumentException("a " + kind + " cannot be read; convert it to PKCS#8");
        };
    }

    private static PrivateKey pkcs8(byte[] der, String algorithm) throws GeneralSecurityException {
        List<String> algorithms = new ArrayList<>(List.of(algorithm, "EC", "RSA", "Ed25519", "Ed448"));
        GeneralSecurityException last = null;
        for (String one : algorithms) {
            try {
                return KeyFactory.getInstance(one).generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (GeneralSecurityException other) {
                last = other;
            }
        }
        throw new IllegalArgumentException("it cannot be decoded", last);
    }

    private static byte[] curve(PublicKey publicKey) throws GeneralSecurityException {
        if (!(publicKey instanceof ECPublicKey key)) {
            throw new IllegalArgumentException("it is an EC key, and the certificate is for another kind");
        }
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(key.getParams());
        try {
            return parameters.getEncoded();
        } catch (java.io.IOException unnamed) {
            throw new IllegalArgumentException("its curve has no name", unnamed);
        }
    }

    /** Wraps an older form in PKCS#8: version, algorithm, key. */
    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return tagged(SEQUENCE, join(VERSION_0, tagged(SEQUENCE, algorithm), tagged(OCTET_STRING, key)));
    }

    private static byte[] tagged(int tag, byte[] content) {
        byte[] length = content.length < 0x80
                ? new byte[] {(byte) content.length}
                : content.length < 0x100
                        ? new byte[] {(byte) 0x81, (byte) content.length}
                        : new byte[] {(byte) 0x82, (byte) (content.length >> 8), (byte) content.length};
        return join(new byte[] {(byte) tag}, length, content);
    }

    private static byte[] join(byte[]... parts) {
        int size = 0;
        for (byte[] part : parts) {
            size += part.length;
        }
        byte[] joined = new byte[size];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }
}
