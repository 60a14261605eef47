package dev.toolgate.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Settings of a client. What is not set is taken from the environment. */
public final class ToolgateBuilder {
    private static final String DEFAULT_URL = "http://127.0.0.1:8001";
    private static final int ASYNC_THREADS = 32;

    private final Map<String, String> environment;
    private @Nullable String url;
    private @Nullable String key;
    private @Nullable String agent;
    private @Nullable String session;
    private @Nullable String project;
    private Duration timeout = Duration.ofSeconds(60);
    private int maxRetries = 2;
    private @Nullable HttpClient http;
    private @Nullable Executor executor;
    private Connection.Time time = Connection.Time.SYSTEM;

    ToolgateBuilder(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The address of the gate; {@code TOOLGATE_URL}, or port 8001 of this machine, if not set. */
    public ToolgateBuilder url(String address) {
        url = address;
        return this;
    }

    /** The key; {@code TOOLGATE_KEY} if not set. */
    public ToolgateBuilder key(String secret) {
        key = secret;
        return this;
    }

    /** The agent that makes calls; {@code TOOLGATE_AGENT} if not set. */
    public ToolgateBuilder agent(String id) {
        agent = id;
        return this;
    }

    /** The session whose policy applies to calls. */
    public ToolgateBuilder session(String id) {
        session = id;
        return this;
    }

    /** The project that calls are for. */
    public ToolgateBuilder project(String id) {
        project = id;
        return this;
    }

    /** How long one request may take; a minute if not set. Waiting for approvals takes many short requests. */
    public ToolgateBuilder timeout(Duration max) {
        timeout = max;
        return this;
    }

    /** The maximum number of retries of a retryable request; 2 if not set. */
    public ToolgateBuilder maxRetries(int max) {
        maxRetries = max;
        return this;
    }

    /** An HTTP client with settings of its own, for example a proxy. It should not follow redirects. */
    public ToolgateBuilder httpClient(HttpClient client) {
        http = client;
        return this;
    }

    /** The executor of the asynchronous methods, which block a thread each; a pool of 32 threads if not set. */
    public ToolgateBuilder executor(Executor threads) {
        executor = threads;
        return this;
    }

    ToolgateBuilder time(Connection.Time waiting) {
        time = waiting;
        return this;
    }

    /**
     * The client.
     *
     * @throws IllegalStateException if there is no key
     * @throws IllegalArgumentException if address or key are not valid
     */
    public Toolgate build() {
        String address = address(orElse(url, "TOOLGATE_URL", DEFAULT_URL));
        Connection connection =
                new Connection(http == null ? client(address) : http, address, checkedKey(), timeout, maxRetries, time);
        Calls calls = new Calls(connection, orElse(agent, "TOOLGATE_AGENT", null), session, project);
        return new Toolgate(connection, calls, executor == null ? threads() : executor);
    }

    private @Nullable String orElse(@Nullable String value, String variable, @Nullable String otherwise) {
        if (value != null) {
            return value;
        }
        String set = environment.get(variable);
        return set == null || set.isBlank() ? otherwise : set.strip();
    }

    private static String address(@Nullable String text) {
        try {
            URI uri = URI.create(text == null ? "" : text);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null) {
                return uri.toString().replaceAll("/+$", "");
            }
        } catch (IllegalArgumentException noAddress) {
            // Reported below, without the text, which may contain a password.
        }
        throw new IllegalArgumentException(
                "The gate's address must look like http://127.0.0.1:8001, without a user name or a query.");
    }

    // Java's exception for an invalid header contains its value; a key must not get into a message.
    private String checkedKey() {
        String secret = orElse(key, "TOOLGATE_KEY", null);
        if (secret == null) {
            throw new IllegalStateException("There is no key: set TOOLGATE_KEY, or call key(…) of the builder.");
        }
        if (secret.isEmpty() || !secret.chars().allMatch(letter -> letter > ' ' && letter < 127)) {
            throw new IllegalArgumentException("The key contains characters that no key has, such as a line break.");
        }
        return secret;
    }

    private static HttpClient client(String address) {
        return HttpClient.newBuilder()
                .version(address.startsWith("https") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
    }

    private static Executor threads() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                ASYNC_THREADS, ASYNC_THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "toolgate-client");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
