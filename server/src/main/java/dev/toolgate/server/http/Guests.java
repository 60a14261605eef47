package dev.toolgate.server.http;

import dev.toolgate.server.identity.Principal;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Whom somebody is taken for who shows nothing. */
@FunctionalInterface
public interface Guests {

    /** Nobody is a guest. */
    Guests NONE = (_, _) -> Optional.empty();

    /**
     * Looks at a request without credentials.
     *
     * @param remoteAddress where the connection comes from
     * @param header the headers of the request by name, {@code null} for one that was not sent
     */
    Optional<Principal> recognise(String remoteAddress, UnaryOperator<@Nullable String> header);
}
