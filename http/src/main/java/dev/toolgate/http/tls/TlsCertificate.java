package dev.toolgate.http.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's certificate, reloaded when its files change. Open connections keep theirs; unusable files leave the
 * previous certificate in place.
 */
public final class TlsCertificate implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsCertificate.class);
    private static final Duration EXPIRY_WARNING = Duration.ofDays(14);

    private final TlsSettings settings;
    private final String password = UUID.randomUUID().toString();
    private final SslContextFactory.Server factory = new SslContextFactory.Server();
    private final Thread watcher;
    private PemFiles inUse;
    private volatile Instant expires;
    private volatile @Nullable String problem;

    private TlsCertificate(TlsSettings settings) throws IOException {
        this.settings = settings;
        this.inUse = PemFiles.read(settings);
        factory.setKeyStore(inUse.store(settings, password.toCharArray()));
        factory.setKeyStorePassword(password);
        factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        factory.setRenegotiationAllowed(false);
        this.expires = inUse.expires(settings.certificate());
        warnOfReaders(settings.key());
        warnOfExpiry();
        this.watcher = Thread.ofVirtual().name("http-certificate").start(this::watch);
    }

    /**
     * Reads a certificate and keeps watching its files.
     *
     * @throws IOException with one sentence that says what is wrong with the files
     */
    public static TlsCertificate load(TlsSettings settings) throws IOException {
        return new TlsCertificate(settings);
    }

    public TlsSettings settings() {
        return settings;
    }

    public SslContextFactory.Server factory() {
        return factory;
    }

    /** When the current certificate expires. */
    public Instant expires() {
        return expires;
    }

    /** Why the current files cannot be used; empty if they are in use. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private void watch() {
        @Nullable PemFiles seen = inUse;
        try {
            while (true) {
                Thread.sleep(settings.checkEvery());
                seen = look(seen);
            }
        } catch (InterruptedException closed) {
            // by close()
        }
    }

    /**
     * Loads changed files.
     *
     * @param before the previous content; two files are rarely replaced at the same instant, so a problem is reported
     *     only when they have not changed since
     */
    private @Nullable PemFiles look(@Nullable PemFiles before) {
        @Nullable PemFiles now = null;
        try {
            now = PemFiles.read(settings);
            if (now.equals(inUse)) {
                problem = null;
                return now;
            }
            use(now);
        } catch (Exception unusable) {
            boolean settled = Objects.equals(now, before);
            if (settled) {
                report(String.valueOf(unusable.getMessage()));
            }
        }
        return now;
    }

    private void use(PemFiles files) throws Exception {
        KeyStore store = files.store(settings, password.toCharArray());
        Instant end = files.expires(settings.certificate());
        factory.reload(changed -> changed.setKeyStore(store));
        inUse = files;
        expires = end;
        problem = null;
        LOG.info("The TLS certificate was reloaded; it is valid until {}.", end);
        warnOfReaders(settings.key());
        warnOfExpiry();
    }

    private void report(String what) {
        if (!what.equals(problem)) {
            problem = what;
            LOG.error("The TLS certificate could not be reloaded, and the previous one stays in use: {}", what);
        }
    }

    private void warnOfExpiry() {
        if (expires.isBefore(Instant.now().plus(EXPIRY_WARNING))) {
            LOG.warn("The TLS certificate in {} expires soon, at {}; renew it.", settings.certificate(), expires);
        }
    }

    // Only a warning: orchestrators mount secrets that every account in a container can read.
    private static void warnOfReaders(Path key) {
        try {
            if (Files.getPosixFilePermissions(key).contains(PosixFilePermission.OTHERS_READ)) {
                LOG.warn("Every account of this machine can read the private key in {}; set its mode to 0600.", key);
            }
        } catch (IOException | UnsupportedOperationException unknown) {
            LOG.debug("The permissions of {} cannot be read", key, unknown);
        }
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}
