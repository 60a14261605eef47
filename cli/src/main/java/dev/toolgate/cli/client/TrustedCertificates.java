package dev.toolgate.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trusts the certificates in a PEM file instead of Java's default ones, for servers with self-signed certificates. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    /**
     * @throws IOException if the file is invalid
     */
    static SSLContext in(Path file) throws IOException {
        try (InputStream pem = Files.newInputStream(file)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(pem);
            if (certificates.isEmpty()) {
                throw new CertificateException("the file is empty");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : certificates) {
                store.setCertificateEntry("ca" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (CertificateException wrong) {
            throw new IOException("the file " + file + " contains no certificate in PEM format", wrong);
        } catch (GeneralSecurityException impossible) {
            throw new IOException("TLS cannot be used: " + impossible.getMessage(), impossible);
        } catch (IOException unreadable) {
            throw new IOException("the file with certificates cannot be read: " + file, unreadable);
        }
    }
}
