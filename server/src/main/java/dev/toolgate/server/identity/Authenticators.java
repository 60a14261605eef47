package dev.toolgate.server.identity;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one way to find out who sent a request, whatever they brought. */
public final class Authenticators implements Authenticator {
    static final String NOTHING_SENT = "Send a key or token in the Authorization header as 'Bearer …'.";
    private static final int PREFIX_LENGTH = 11;

    private final KeyAuthenticator keys;
    private final FailureDelay delay;

    private Authenticators(KeyAuthenticator keys, FailureDelay delay) {
        this.keys = keys;
        this.delay = delay;
    }

    static Authenticators chain(KeyAuthenticator keys, FailureDelay delay) {
        return new Authenticators(keys, delay);
    }

    @Override
    public Identity identify(Credentials credentials) {
        if (credentials.authorization() != null) {
            return bearer(credentials.authorization(), credentials.remoteAddress());
        }
        return new Identity.Unknown(NOTHING_SENT);
    }

    private Identity bearer(String authorization, String address) {
        Optional<Bearer> bearer = Bearer.in(authorization);
        if (bearer.isEmpty()) {
            return new Identity.Unknown(NOTHING_SENT);
        }
        return switch (bearer.get()) {
            case Bearer.Key key -> key(key, address);
            case Bearer.MistypedKey mistyped ->
                unhurried("key", address, null, () -> new Identity.Unknown(KeyAuthenticator.NOT_KNOWN));
            case Bearer.Token token -> new Identity.Unknown("Tokens are not accepted here; send a key.");
        };
    }

    // Whoever has a key that cannot be guessed need not wait for those who guess beside them.
    private Identity key(Bearer.Key key, String address) {
        boolean genuine = key.isGenuine();
        Optional<Principal> remembered = genuine ? keys.remembered(key) : Optional.empty();
        if (remembered.isPresent()) {
            return new Identity.Known(remembered.get());
        }
        String start = genuine ? key.text().substring(0, PREFIX_LENGTH) : null;
        return unhurried("key", address, start, () -> keys.identify(key));
    }

    private Identity unhurried(String kind, String address, @Nullable String what, Supplier<Identity> question) {
        String who = kind + " from " + RemoteAddress.network(address);
        Optional<Duration> wait = delay.before(who, what);
        if (wait.isPresent()) {
            return new Identity.SlowedDown(wait.get());
        }
        Identity identity = question.get();
        switch (identity) {
            case Identity.Known known -> delay.succeeded(who);
            case Identity.Unknown unknown -> delay.failed(who, what);
            case Identity.SlowedDown slowed -> {}
        }
        return identity;
    }
}
