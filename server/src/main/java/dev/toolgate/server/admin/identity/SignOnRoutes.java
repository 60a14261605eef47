package dev.toolgate.server.admin.identity;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.AuthorizationAnswer;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.admin.MessagePage;
import dev.toolgate.server.identity.ReturnAddress;
import dev.toolgate.server.identity.SignOnCookie;
import dev.toolgate.server.identity.SignOnProblem;
import dev.toolgate.server.identity.SignOnRefused;
import dev.toolgate.server.identity.SingleSignOn;
import dev.toolgate.store.identity.LoginRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes of log-ins through the provider. Errors are shown on the log-in page, except an unreachable provider, which
 * has an error page with its own status. Every log-in is recorded, and so is every one that failed at the provider.
 */
public final class SignOnRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(SignOnRoutes.class);
    private static final String LOGIN = "/auth/oidc/login";
    private static final String RETURN = "return";

    private final @Nullable SingleSignOn signOn;
    private final Administration administration;

    /**
     * @param signOn null if no provider is configured
     */
    public SignOnRoutes(@Nullable SingleSignOn signOn, Administration administration) {
        this.signOn = signOn;
        this.administration = administration;
    }

    /** The routes. Providers add parameters of their own to the address they send a browser back to. */
    public List<Route> all() {
        return List.of(
                Route.get("/api/v1/console/sign-on", RouteAccess.open(), Dialect.STANDARD, this::methods),
                Route.get(LOGIN, RouteAccess.open(), Dialect.STANDARD, this::begin)
                        .withQuery(RETURN),
                Route.get(SingleSignOn.CALLBACK, RouteAccess.open(), Dialect.STANDARD, this::end)
                        .withQuery("code", "state", "iss", "error")
                        .withAnyQuery());
    }

    private Response methods(Exchange exchange) {
        return Response.json(new SignOnAnswer(signOn != null, signOn == null ? null : LOGIN));
    }

    private Response begin(Exchange exchange) {
        String returnTo = exchange.query().text(RETURN).orElse(ReturnAddress.HOME);
        if (!ReturnAddress.isLocal(returnTo)) {
            throw new BadRequest(
                    "The query parameter 'return' must be the address of a page of the console, without its"
                            + " host, for example /console/approvals.");
        }
        if (signOn == null) {
            return toLogin(SignOnProblem.NOT_CONFIGURED);
        }
        try {
            SingleSignOn.Begun begun = signOn.begin(returnTo, exchange.source().address());
            return redirect(begun.page().toString(), begun.setCookie());
        } catch (SignOnRefused refused) {
            LOG.warn("Log-ins through the provider are unavailable: {}", refused.getMessage());
            return unreachable();
        }
    }

    private Response end(Exchange exchange) throws Exception {
        if (signOn == null) {
            return toLogin(SignOnProblem.NOT_CONFIGURED);
        }
        LoginRequest request;
        SingleSignOn.Return back;
        try {
            back = new SingleSignOn.Return(
                    AuthorizationAnswer.of(exchange, SingleSignOn.CALLBACK),
                    AuthorizationAnswer.parameter(exchange, "state").orElse(""),
                    exchange.cookie(SignOnCookie.name(signOn.callback())).orElse(""),
                    exchange.sessionCookie().orElse(null),
                    exchange.source().address());
            request = signOn.take(back);
        } catch (SignOnRefused unknown) {
            return unknown.problem() == SignOnProblem.UNREACHABLE ? unreachable() : toLogin(unknown.problem());
        }
        try {
            SingleSignOn.Finished finished = signOn.finish(request, back);
            Change change = LoginRecord.of(
                    administration, exchange, finished.login().session().principal());
            return change.recorded(() -> {
                change.changedTo(PersonAnswer.of(finished.person()));
                return redirect(finished.returnTo(), finished.login().setCookie());
            });
        } catch (SignOnRefused refused) {
            return refused(exchange, refused);
        }
    }

    private Response refused(Exchange exchange, SignOnRefused refused) {
        LOG.warn("A log-in through the provider was refused: {}", refused.getMessage());
        return switch (refused.problem()) {
            case UNREACHABLE -> unreachable();
            // Not recorded, otherwise unauthenticated clients could fill the audit log.
            case SLOWED_DOWN -> toLogin(refused.problem());
            case NOT_CONFIGURED, ENDED, DECLINED, NOT_VALID, NO_ROLE -> {
                record(exchange, refused);
                yield toLogin(refused.problem());
            }
        };
    }

    private void record(Exchange exchange, SignOnRefused refused) {
        SignOnRefused.Who who = refused.who();
        Principal unidentified = new Principal(
                who == null ? Principal.FIRST_TENANT : who.tenant(),
                Role.USER,
                who == null ? "person:unknown" : who.name(),
                null,
                Set.of());
        Change change = LoginRecord.of(administration, exchange, unidentified)
                .about("problem", refused.problem().code());
        try {
            change.recorded(() -> {
                change.begin(null);
                throw HttpFailure.of(ErrorCode.PERMISSION_DENIED, String.valueOf(refused.getMessage()));
            });
        } catch (HttpFailure recorded) {
            LOG.debug("Recorded", recorded);
        }
    }

    private static Response toLogin(SignOnProblem problem) {
        return new Response.Empty(302, Map.of("Location", "/console/login?sign_on=" + problem.code()));
    }

    private static Response redirect(String place, String setCookie) {
        return new Response.Empty(
                302,
                Map.of(
                        "Location",
                        place,
                        "Set-Cookie",
                        setCookie,
                        "Cache-Control",
                        "no-store",
                        "Referrer-Policy",
                        "no-referrer"));
    }

    private static Response unreachable() {
        return MessagePage.of(
                503,
                "Single sign-on is not available",
                "The identity provider cannot be reached now, or is not set up correctly, so nobody was logged in. Try again"
                        + " shortly, or log in with a key; the server's log says what is wrong.");
    }

    /**
     * @param url where a browser begins; only if a provider is configured
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record SignOnAnswer(boolean enabled, @Nullable String url) {}
}
