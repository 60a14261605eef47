package dev.toolgate.server.config;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address by which people reach this server in a browser: the setting, or the server's own address where it listens
 * on loopback only. Never taken from a request, whose Host header the client controls.
 */
public final class PublicAddress {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[?::1]?");

    private volatile @Nullable URI known;

    /**
     * @param configured null if it is not set
     */
    public PublicAddress(@Nullable URI configured) {
        this.known = configured;
    }

    /** Whether a host is a loopback address by its spelling. */
    static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }

    /**
     * Notifies it that the server accepts requests.
     *
     * @param host that it listens on
     * @param url of its main port
     */
    public void listening(String host, String url) {
        if (known == null && isLoopback(host)) {
            known = URI.create(url);
        }
    }

    /** The address of a page; empty if the public address is unknown. */
    public Optional<URI> of(String path) {
        return Optional.ofNullable(known).map(base -> base.resolve(path));
    }
}
