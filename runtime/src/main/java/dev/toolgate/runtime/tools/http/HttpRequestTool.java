package dev.toolgate.runtime.tools.http;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.network.AddressCheck;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.BodyText;
import dev.toolgate.runtime.network.GuardedRequests;
import dev.toolgate.runtime.network.OutgoingRequest;
import dev.toolgate.runtime.network.RedirectChain;
import dev.toolgate.runtime.network.Reply;
import dev.toolgate.runtime.network.RequestHeaders;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.runtime.network.UrlCheck;
import dev.toolgate.runtime.output.ArtifactRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.jspecify.annotations.Nullable;

/** {@code http_request}: one HTTP request to the public internet. */
public final class HttpRequestTool implements Tool<HttpRequestTool.Arguments> {
    private static final int DEFAULT_TIMEOUT_SECONDS = 30;
    private static final int PREVIEW_BODY_BYTES = 4 * 1024;
    private static final int MAX_REQUEST_BODY_LENGTH = 10 * 1024 * 1024;

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "http_request",
                    Arguments.class,
                    Category.NETWORK,
                    "Network.Http",
                    "Make an HTTP request and return the response")
            .dangerous()
            .returning(Result.class)
            .alsoKnownAs(Alias.runtime("HttpRequest"));

    private final Function<TenantId, GuardedRequests> requests;

    /** @param addresses the addresses each tenant may reach */
    public HttpRequestTool(AddressPolicies addresses, Resolver resolver) {
        this.requests = tenant -> GuardedRequests.of(addresses.of(tenant), resolver);
    }

    public HttpRequestTool(AddressPolicy policy, Resolver resolver, TlsSocketStrategy tls) {
        this.requests = _ -> new GuardedRequests(new AddressCheck(policy, resolver), tls);
    }

    /** The arguments. */
    public record Arguments(
            @Param(
                    value = "The URL to request; http or https, public addresses only",
                    minLength = 1,
                    touches = Touch.URL)
            String url,

            @Param(
                    value = "The HTTP method",
                    oneOf = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"},
                    defaultValue = "GET")
            @Nullable
            String method,

            @Param("Request headers by name") @Nullable Map<String, String> headers,

            @Param("The request body") @Nullable String body,

            @Param(value = "Seconds to wait for the whole response", min = 1, max = 600, defaultValue = "30") @Nullable
            Integer timeout) {}

    /** The result. */
    public record Result(int statusCode, String statusText, Map<String, String> headers, String body) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        OutgoingRequest request = request(arguments);
        RedirectChain.FinalResponse response = requests.apply(
                        context.call().caller().tenant())
                .send(request, context.bounds().allowedDomains(), limit(arguments, context));
        return output(response, context.maxOutputBytesOr(ToolContext.DEFAULT_OUTPUT_BYTES));
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        OutgoingRequest request = request(arguments);
        StringBuilder text = new StringBuilder()
                .append(request.method())
                .append(' ')
                .append(request.target())
                .append('\n');
        request.headers().values().forEach((name, value) -> text.append(name)
                .append(": ")
                .append(Redactor.isSensitiveName(name) ? Redactor.placeholder(value.length()) : value)
                .append('\n'));
        String head =
                VisibleText.visible(Redactor.standard().mask(text.toString()).value());
        return Optional.of(request.body().map(body -> head + body(body)).orElse(head));
    }

    // Indented, so that no line of the body can be mistaken for a header.
    private static String body(String body) {
        return "with this body of " + body.length() + " characters:\n"
                + VisibleText.indented(
                        HeadTail.fit(Redactor.standard().mask(body).value(), PREVIEW_BODY_BYTES));
    }

    private static OutgoingRequest request(Arguments arguments) throws ToolFailure {
        if (arguments.body() != null && arguments.body().length() > MAX_REQUEST_BODY_LENGTH) {
            throw new ToolFailure(ErrorCode.INVALID_REQUEST, "Field 'body' is larger than 10 MB");
        }
        return new OutgoingRequest(
                UrlCheck.parse(arguments.url()),
                arguments.method() == null ? "GET" : arguments.method(),
                RequestHeaders.of(arguments.headers() == null ? Map.of() : arguments.headers()),
                Optional.ofNullable(arguments.body()));
    }

    private static Duration limit(Arguments arguments, ToolContext context) {
        Duration asked =
                Duration.ofSeconds(arguments.timeout() == null ? DEFAULT_TIMEOUT_SECONDS : arguments.timeout());
        Duration maxTimeout = context.bounds().timeout();
        return maxTimeout == null || asked.compareTo(maxTimeout) <= 0 ? asked : maxTimeout;
    }

    private static Output output(RedirectChain.FinalResponse response, int maxBytes) {
        Reply.Answer answer = response.answer();
        String type = answer.header("content-type").orElse("application/octet-stream");
        Optional<String> text = BodyText.of(answer.body(), type);
        String head = "HTTP " + (answer.status() + " " + answer.reason()).strip() + "\nContent-Type: "
                + answer.header("content-type").orElse("unknown") + "\nContent-Length: "
                + contentLength(answer) + "\n\n";
        int room = Math.max(0, maxBytes - head.getBytes(StandardCharsets.UTF_8).length);
        String body = HeadTail.fit(text.orElseGet(() -> describe(answer, type)), room);
        return Output.of(head + body, new Result(answer.status(), answer.reason(), answer.headers(), body))
                .with(Map.of(
                        "statusCode",
                        answer.status(),
                        "bodyBytes",
                        answer.body().length,
                        "redirects",
                        response.redirects(),
                        "url",
                        response.target().toString()))
                .withArtifacts(artifacts(text, type, Content.of(answer.body())));
    }

    private static List<Artifact> artifacts(Optional<String> text, String type, Content body) {
        return text.isPresent()
                ? ArtifactRule.HTTP_BODY.extract("response", type, body).stream()
                        .toList()
                : List.of(ArtifactRule.HTTP_BODY.keep("response", type, body));
    }

    // A HEAD response has a length but no body; for chunked or compressed responses the header is absent or differs.
    private static String contentLength(Reply.Answer answer) {
        return answer.body().length > 0
                ? String.valueOf(answer.body().length)
                : answer.header("content-length").orElse("0");
    }

    private static String describe(Reply.Answer answer, String type) {
        return "[binary body of type " + type + ", " + answer.body().length
                + " bytes, not shown; it is attached as an artifact]";
    }
}
