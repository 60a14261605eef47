package dev.toolgate.tools.web;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.AllowlistProxy;
import dev.toolgate.runtime.network.ProxyLimits;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.Sandboxes;
import dev.toolgate.runtime.sandbox.command.CommandLimits;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.EgressProxy;
import dev.toolgate.runtime.sandbox.command.LazySandbox;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.command.bubblewrap.BubblewrapSandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renders pages with an installed Chromium inside the sandbox for commands. The browser has no network except the
 * proxy, which resolves each host once, checks its addresses and connects to exactly those. So even a page that takes
 * over the browser cannot reach this machine or its network.
 */
public final class ChromiumRenderer implements Renderer {
    private static final Logger LOG = LoggerFactory.getLogger(ChromiumRenderer.class);
    private static final long MIB = 1L << 20;
    private static final int MAX_CONCURRENT = 2;

    /** A browser reserves much more address space than memory, so the memory limit is the effective one. */
    private static final CommandLimits LIMITS =
            new CommandLimits(1024, 16 * 1024 * MIB, 1536 * MIB, 256 * MIB, 4096, Duration.ofMinutes(2), 256 * MIB);

    private final Path program;
    private final Path folder;
    private final CommandSandbox sandbox;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);

    private ChromiumRenderer(Path program, Path folder, CommandSandbox sandbox) {
        this.program = program;
        this.folder = folder;
        this.sandbox = sandbox;
    }

    /**
     * A renderer, or {@link Renderer#NONE} if Chromium is not installed.
     *
     * @param folder the folder for temporary files of the browser
     * @param limits the limits of the proxy; pages on other ports are not rendered
     */
    public static Renderer find(Path folder, AddressPolicy policy, Resolver resolver, ProxyLimits limits) {
        return Chromium.find()
                .<Renderer>map(program -> new ChromiumRenderer(
                        program, folder, new LazySandbox(() -> confining(folder, policy, resolver, limits))))
                .orElse(NONE);
    }

    private static CommandSandbox confining(Path folder, AddressPolicy policy, Resolver resolver, ProxyLimits limits) {
        return Sandboxes.choose(
                Platform.current(),
                SandboxMode.CONFINED, // always, even if degraded mode is enabled for commands
                () -> BubblewrapSandbox.open(
                        WorkspaceAccount::of,
                        SandboxSettings.standard().withLimits(LIMITS).withWarm(0, 0),
                        domains -> proxy(folder, domains, policy, resolver, limits)),
                ChromiumRenderer::account);
    }

    private static EgressProxy proxy(
            Path folder, List<String> domains, AddressPolicy policy, Resolver resolver, ProxyLimits limits) {
        try {
            return AllowlistProxy.start(
                    Path.of(System.getProperty("java.io.tmpdir")), account(folder), domains, policy, resolver, limits);
        } catch (IOException failed) {
            throw new UncheckedIOException("The proxy for the browser cannot be started", failed);
        }
    }

    private static Account account(Path folder) {
        try {
            return WorkspaceAccount.of(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed.getMessage(), failed);
        }
    }

    @Override
    public Optional<String> render(String url, @Nullable List<String> domains, Duration limit)
            throws InterruptedException {
        if (sandbox.confinement().level() != Confinement.Level.CONFINED
                || !permits.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            return Optional.empty();
        }
        try (Scratch scratch = Scratch.in(folder)) {
            CommandRequest request = CommandRequest.inWholeWorkspace(
                    Chromium.COMMAND,
                    scratch.path(),
                    scratch.path(),
                    Map.of("CHROMIUM", program.toString(), "PAGE", url),
                    domains == null ? List.of("*") : domains);
            return domains != null && domains.isEmpty() ? Optional.empty() : Rendering.run(sandbox, request, limit);
        } catch (ToolFailure | IOException impossible) {
            LOG.warn("A page could not be rendered: {}", impossible.getMessage());
            return Optional.empty();
        } finally {
            permits.release();
        }
    }

    @Override
    public void close() {
        sandbox.close();
    }

    /** The temporary folder for one page. */
    private record Scratch(Path path) implements AutoCloseable {
        static Scratch in(Path folder) throws IOException {
            WorkspaceAccount.createIfMissing(folder);
            Path path = Files.createTempDirectory(folder, "page-").toRealPath();
            WorkspaceAccount.changeOwner(path, WorkspaceAccount.of(folder));
            return new Scratch(path);
        }

        @Override
        public void close() throws IOException {
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
