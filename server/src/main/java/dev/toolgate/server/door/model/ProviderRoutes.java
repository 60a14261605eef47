package dev.toolgate.server.door.model;

import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.model.ModelEndpoint;
import dev.toolgate.server.model.ModelProviders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes to list providers and models and to validate keys, for principals that may use tools. */
public final class ProviderRoutes {
    private static final String ALL = "/api/v1/providers";
    private static final String OWN_KEY = "X-Provider-Key";

    private final JsonRecord<OwnKey> ownKey = JsonRecord.of(OwnKey.class);
    private final ModelProviders providers;

    public ProviderRoutes(ModelProviders providers) {
        this.providers = providers;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(ALL, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::list),
                Route.get(ALL + "/{provider}/models", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::models),
                Route.post(
                                ALL + "/{provider}/credentials",
                                RouteAccess.anyPrincipal(),
                                Dialect.STANDARD,
                                this::credentials)
                        .recorded(Recording.NOTHING_TO_RECORD));
    }

    private Response list(Exchange exchange) {
        TenantId tenant = user(exchange).tenant();
        return Response.json(providers.endpoints().stream()
                .map(endpoint -> ProviderAnswer.of(endpoint, providers, tenant))
                .toList());
    }

    private Response models(Exchange exchange) {
        Principal user = user(exchange);
        ProviderKey own = exchange.header(OWN_KEY)
                .map(text -> FailureMapping.unknownAsConflict(() -> ProviderKey.of(text)))
                .orElse(null);
        ModelEndpoint endpoint = endpoint(exchange);
        try {
            return Response.json(provider(endpoint, user).listModels(own));
        } catch (ProviderFailed failed) {
            throw new ProviderProblem(endpoint, own, failed).answer();
        }
    }

    private Response credentials(Exchange exchange) {
        Principal user = user(exchange);
        ProviderKey own = exchange.json(ownKey).key();
        ModelEndpoint endpoint = endpoint(exchange);
        return Response.json(verdict(endpoint, provider(endpoint, user), own));
    }

    private static KeyVerdict verdict(ModelEndpoint endpoint, Provider provider, @Nullable ProviderKey own) {
        try {
            provider.validateCredentials(own);
            return new KeyVerdict(true, null);
        } catch (ProviderFailed failed) {
            ProviderProblem problem = new ProviderProblem(endpoint, own, failed);
            if (failed.failure().kind() == ProviderFailure.Kind.UNAUTHORISED) {
                return new KeyVerdict(false, problem.verdict());
            }
            throw problem.answer();
        }
    }

    private static Principal user(Exchange exchange) {
        Principal principal = exchange.principal();
        if (!principal.may(Right.CALL_AS_ITSELF)
                && !principal.may(Right.CALL_FOR_ANY_AGENT)
                && !principal.may(Right.CHAT_AS_NAMED_AGENTS)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName() + " may not use models, because it may not use tools.");
        }
        return principal;
    }

    private ModelEndpoint endpoint(Exchange exchange) {
        String name = exchange.path("provider");
        return providers
                .endpoint(name)
                .orElseThrow(() -> HttpFailure.notFound("There is no provider '" + name + "'; there are "
                        + String.join(", ", providers.names()) + "."));
    }

    private Provider provider(ModelEndpoint endpoint, Principal user) {
        return providers.find(endpoint.provider(), user.tenant()).orElseThrow();
    }
}
