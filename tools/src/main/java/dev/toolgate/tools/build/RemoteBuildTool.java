package dev.toolgate.tools.build;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.tools.NeededSecret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code remote_build}: starts a configured build, waits for its end, and cancels it if the call is cancelled. */
public final class RemoteBuildTool implements Tool<RemoteBuildTool.Arguments> {
    private static final int DEFAULT_WAIT_SECONDS = 600;
    private static final Duration MAX_DURATION = Duration.ofMinutes(61);

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "remote_build",
                    Arguments.class,
                    Category.REMOTE,
                    "BackendTool.Invoke",
                    "Start a configured build (GitHub Actions or Jenkins) and wait for its end")
            .dangerous()
            .within(MAX_DURATION)
            .returning(Result.class)
            .alsoKnownAs(Alias.runtime("RemoteBuild"));

    private final BuildTargets targets;
    private final Secrets secrets;

    public RemoteBuildTool(BuildTargets targets, Secrets secrets) {
        this.targets = targets;
        this.secrets = secrets;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The name of a configured build", minLength = 1)
            String build,

            @Param("Parameters of the build by name; only those configured for the build") @Nullable
            Map<String, String> parameters,

            @Param(value = "The branch or tag to build, if not the configured one", minLength = 1) @Nullable
            String ref,

            @Param(
                    value = "Seconds to wait for its end; the build continues afterwards",
                    min = 0,
                    max = 3600,
                    defaultValue = "600")
            @Nullable
            Integer waitSeconds) {}

    /** The result; the status is queued, running, succeeded, failed or cancelled. */
    public record Result(String build, String status, String link) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        TenantId tenant = context.call().caller().tenant();
        BuildTarget target = target(tenant, arguments);
        String token = new NeededSecret(tenant, target.tokenName()).from(secrets);
        Redactor redactor = hiding(target, token).forCallerOf(context.call());
        RunningBuild build = start(target, token, arguments);
        context.emit(OutputChunk.Source.PROGRESS, "Build '" + arguments.build() + "' was requested\n");
        int wait = arguments.waitSeconds() == null ? DEFAULT_WAIT_SECONDS : arguments.waitSeconds();
        RunningBuild.State end =
                new BuildPoller(build, target.pollInterval(), context, redactor).until(Duration.ofSeconds(wait));
        return new BuildReport(arguments.build(), end)
                .output(end.phase().ended() ? redactor.hideKnown(log(build)) : "", context);
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        BuildTarget target = target(context.call().caller().tenant(), arguments);
        String what =
                switch (target) {
                    case BuildTarget.GitHubActions actions ->
                        "the workflow " + actions.workflow() + " of " + actions.repository() + " on "
                                + ref(actions, arguments);
                    case BuildTarget.Jenkins jenkins -> "the job " + jenkins.job() + " of " + jenkins.baseUrl();
                };
        return Optional.of("Starts " + what + " with "
                + (parameters(arguments).isEmpty() ? "no parameters" : "parameters " + parameters(arguments)) + ".");
    }

    private BuildTarget target(TenantId tenant, Arguments arguments) throws ToolFailure {
        BuildTarget target = targets.find(tenant, arguments.build())
                .orElseThrow(() -> new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "There is no build named '" + arguments.build() + "'; set builds." + tenant + "."
                                + arguments.build() + " in toolgate.yaml"));
        for (String name : parameters(arguments).keySet()) {
            if (!target.parameters().contains(name)) {
                throw new ToolFailure(
                        ErrorCode.INVALID_REQUEST,
                        "Field 'parameters." + name + "' is not a parameter of this build; it accepts "
                                + (target.parameters().isEmpty() ? "none" : String.join(", ", target.parameters())));
            }
        }
        return target;
    }

    private static Map<String, String> parameters(Arguments arguments) {
        return arguments.parameters() == null ? Map.of() : arguments.parameters();
    }

    private static RunningBuild start(BuildTarget target, String token, Arguments arguments)
            throws ToolFailure, InterruptedException {
        return switch (target) {
            case BuildTarget.GitHubActions actions ->
                GitHubRun.start(actions, token, ref(actions, arguments), parameters(arguments));
            case BuildTarget.Jenkins jenkins -> {
                if (arguments.ref() != null) {
                    throw new ToolFailure(
                            ErrorCode.INVALID_REQUEST,
                            "Field 'ref' is only for GitHub Actions; pass parameters to a Jenkins job");
                }
                yield JenkinsBuild.start(jenkins, token, parameters(arguments));
            }
        };
    }

    private static String ref(BuildTarget.GitHubActions target, Arguments arguments) throws ToolFailure {
        List<String> allowed = target.refs();
        if (arguments.ref() == null) {
            return allowed.getFirst();
        }
        if (!allowed.contains(arguments.ref())) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST, "Field 'ref' must be one of " + String.join(", ", allowed));
        }
        return arguments.ref();
    }

    private static String log(RunningBuild build) throws InterruptedException {
        try {
            return build.log();
        } catch (ToolFailure missing) {
            return "[The log cannot be read: " + missing.failure().message() + "]";
        }
    }

    // Builds may print their credentials, so the token is redacted in the output.
    private static Redactor hiding(BuildTarget target, String token) {
        if (token.length() < KnownSecrets.MIN_LENGTH) {
            return Redactor.knownSecretsOnly();
        }
        return Redactor.knownSecretsOnly()
                .withSecrets(
                        target instanceof BuildTarget.Jenkins jenkins
                                ? Set.of(
                                        token,
                                        JenkinsBuild.authorization(jenkins.user(), token)
                                                .substring(6))
                                : Set.of(token));
    }
}
