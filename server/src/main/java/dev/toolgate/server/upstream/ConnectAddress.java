package dev.toolgate.server.upstream;

import dev.toolgate.core.digest.Sha256;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The redirect URIs for connecting accounts. Each authorization server has one of its own, so that a server cannot have
 * the gate redeem the code of another at its own token endpoint (RFC 9700, 4.4). A client that was registered by hand has
 * the one without an issuer, and so have accounts connected by earlier versions.
 */
public final class ConnectAddress {
    /** The path of the redirect URI of clients registered by hand. */
    public static final String CALLBACK = "/connect/callback";

    /** The path of the client ID metadata document of that redirect URI. */
    public static final String CLIENT_DOCUMENT = "/connect/client.json";

    private static final String CLIENT_DOCUMENTS = "/connect/client/";
    private static final int HASH_BYTES = 16;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{" + 2 * HASH_BYTES + "}");

    private ConnectAddress() {}

    /** The path of the redirect URI of an authorization server. */
    static String callback(String issuer) {
        byte[] digest = Sha256.of(issuer.getBytes(StandardCharsets.UTF_8));
        return callbackOf(HexFormat.of().formatHex(digest, 0, HASH_BYTES));
    }

    /** The same by the hash of the issuer. */
    public static String callbackOf(String issuerHash) {
        return CALLBACK + "/" + issuerHash;
    }

    /** The path of the client ID metadata document by the hash of the issuer. */
    public static String clientDocumentOf(String issuerHash) {
        return CLIENT_DOCUMENTS + issuerHash;
    }

    /** Whether this may be the hash of an issuer. */
    public static boolean isHash(String text) {
        return HASH.matcher(text).matches();
    }

    /** The client ID metadata document that names a redirect URI; its URL is the gate's client id. */
    static URI clientDocument(URI redirect) {
        String path = redirect.getPath();
        return redirect.resolve(
                path.equals(CALLBACK) ? CLIENT_DOCUMENT : clientDocumentOf(path.substring(CALLBACK.length() + 1)));
    }
}
