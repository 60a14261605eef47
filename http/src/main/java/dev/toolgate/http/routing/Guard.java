package dev.toolgate.http.routing;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Authenticator;
import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.request.RequestSource;
import dev.toolgate.http.request.RequestSources;
import dev.toolgate.http.socket.SocketProtocols;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Authenticates and authorises requests before their body is read. */
public final class Guard {
    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

    /** The console's session cookie. */
    static final String SESSION_COOKIE = "toolgate_session";

    private final Authenticator authenticator;
    private final RequestSources sources;

    public Guard(Authenticator authenticator, RequestSources sources) {
        this.authenticator = authenticator;
        this.sources = sources;
    }

    /** The client, behind trusted proxies. */
    RequestSource source(Request request) {
        return sources.of(request);
    }

    /** The principal of the request; {@code null} on open routes. */
    @Nullable
    public Principal admit(Request request, Route route) {
        return switch (route.access()) {
            case RouteAccess.Open _ -> null;
            case RouteAccess.AnyPrincipal _ -> identify(request, route);
            case RouteAccess.PrincipalOrAnonymous or -> principalOrAnonymous(request, route, or.anonymous());
            case RouteAccess.Needs needs -> require(identify(request, route), needs.right());
        };
    }

    // Wrong credentials are rejected; they do not fall back to anonymous access.
    private Principal principalOrAnonymous(Request request, Route route, AnonymousAccess anonymous) {
        HttpFields headers = request.getHeaders();
        if (hasCredentials(headers)) {
            return identify(request, route);
        }
        ConnectionMetaData connection = request.getConnectionMetaData();
        if (!(connection.getRemoteSocketAddress() instanceof InetSocketAddress peer)
                || !(connection.getLocalSocketAddress() instanceof InetSocketAddress local)) {
            return identify(request, route);
        }
        return anonymous
                .principal(new UnauthenticatedRequest(
                        peer, local, sources.of(request).arrival(), headers::get))
                .orElseGet(() -> identify(request, route));
    }

    // Also those that cannot be used, such as one of two session cookies.
    private static boolean hasCredentials(HttpFields headers) {
        return headers.contains(HttpHeader.AUTHORIZATION)
                || SocketProtocols.key(headers).isPresent()
                || !cookies(headers, SESSION_COOKIE).isEmpty();
    }

    private Principal identify(Request request, Route route) {
        return switch (authenticator.identify(
                credentials(request, route.method().kind()))) {
            case Identity.Known known -> known.principal();
            case Identity.Unknown unknown -> throw HttpFailure.unauthorized(unknown.reason());
            case Identity.SlowedDown slowed -> throw HttpFailure.slowedDown(slowed.retryAfter());
        };
    }

    /** Authenticates the request again on each call. */
    Supplier<Identity> identifyAgain(Request request, Route route) {
        Credentials credentials = credentials(request, route.method().kind());
        return () -> authenticator.identify(credentials);
    }

    /** Authenticates and authorises a listener again on each call; empty if it fails or is unavailable. */
    Supplier<Optional<Principal>> stillAdmitted(Request request, Route route) {
        Credentials credentials = credentials(request, Credentials.Kind.LISTENS);
        return () -> {
            try {
                return authenticator.identify(credentials) instanceof Identity.Known known
                                && isAllowed(known.principal(), route.access())
                        ? Optional.of(known.principal())
                        : Optional.empty();
            } catch (Unavailable unreachable) {
                LOG.debug("An event stream ends because its listener cannot be authenticated now", unreachable);
                return Optional.empty();
            }
        };
    }

    private static boolean isAllowed(Principal principal, RouteAccess access) {
        return switch (access) {
            case RouteAccess.Open _, RouteAccess.AnyPrincipal _, RouteAccess.PrincipalOrAnonymous _ -> true;
            case RouteAccess.Needs needs -> principal.may(needs.right());
        };
    }

    private static Principal require(Principal principal, Right right) {
        if (!principal.may(right)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName() + " lacks the right "
                            + right.name().toLowerCase(Locale.ROOT) + ", which this needs.");
        }
        return principal;
    }

    private Credentials credentials(Request request, Credentials.Kind kind) {
        HttpFields headers = request.getHeaders();
        List<String> authorizations = headers.getValuesList(HttpHeader.AUTHORIZATION);
        if (authorizations.size() > 1) {
            throw new BadRequest("The Authorization header occurs more than once.");
        }
        return new Credentials(
                authorizations.isEmpty()
                        ? SocketProtocols.key(headers)
                                .map(key -> "Bearer " + key)
                                .orElse(null)
                        : authorizations.getFirst(),
                cookie(headers),
                headers.get("X-CSRF-Token"),
                kind,
                sources.of(request).address());
    }

    /** The session cookie; none if there are two, since one of them may have been planted. */
    static @Nullable String cookie(HttpFields headers) {
        return cookie(headers, SESSION_COOKIE);
    }

    /** A cookie; none if there are two. */
    static @Nullable String cookie(HttpFields headers, String name) {
        List<String> found = cookies(headers, name);
        return found.size() == 1 ? found.getFirst() : null;
    }

    private static List<String> cookies(HttpFields headers, String name) {
        List<String> found = new ArrayList<>();
        for (String header : headers.getValuesList(HttpHeader.COOKIE)) {
            for (String pair : header.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                    found.add(pair.substring(equals + 1).strip());
                }
            }
        }
        return found;
    }
}
