package dev.toolgate.tools.database;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed URL of a database. Only harmless driver parameters are accepted, such as those for encryption: others load
 * classes, read files, or disable the protection against writing.
 */
public record TargetUrl(Engine engine, String host, int port, String database, Map<String, String> parameters) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.$-]{1,100}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

    /** The kind of database. */
    public enum Engine {
        POSTGRESQL(5432),
        MARIADB(3306);

        private final int defaultPort;

        Engine(int defaultPort) {
            this.defaultPort = defaultPort;
        }

        private Set<String> accepted() {
            return switch (this) {
                case POSTGRESQL ->
                    Set.of("sslmode", "sslrootcert", "sslcert", "sslkey", "channelBinding", "currentSchema");
                case MARIADB -> Set.of("sslMode", "serverSslCert", "timezone");
            };
        }
    }

    /**
     * Reads a URL such as {@code postgresql://host:5432/name?sslmode=require}, optionally with the prefix
     * {@code jdbc:}.
     *
     * @throws IllegalArgumentException with the reason, but without the URL, which may contain a password
     */
    public static TargetUrl parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip().replaceFirst("^jdbc:", ""));
        } catch (
                @SuppressWarnings("UnusedException") // its message quotes the URL
                URISyntaxException wrong) {
            throw new IllegalArgumentException("is not a URL such as postgresql://host:5432/name");
        }
        Engine engine = engine(uri.getScheme());
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("must not contain credentials; set user and password separately");
        }
        String host = uri.getHost();
        String path = uri.getPath();
        String database = path == null || path.isEmpty() ? "" : path.substring(1);
        if (host == null
                || !HOST.matcher(host).matches()
                || !NAME.matcher(database).matches()) {
            throw new IllegalArgumentException("must name one host and a database, as in postgresql://host:5432/name");
        }
        return new TargetUrl(
                engine,
                host,
                uri.getPort() < 0 ? engine.defaultPort : uri.getPort(),
                database,
                parameters(engine, uri.getRawQuery()));
    }

    private static Engine engine(@Nullable String scheme) {
        return switch (scheme == null ? "" : scheme) {
            case "postgresql", "postgres" -> Engine.POSTGRESQL;
            case "mariadb", "mysql" -> Engine.MARIADB;
            default -> throw new IllegalArgumentException("must begin with postgresql://, mariadb:// or mysql://");
        };
    }

    private static Map<String, String> parameters(Engine engine, @Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query == null || query.isEmpty() ? new String[0] : query.split("&")) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!engine.accepted().contains(name)) {
                throw new IllegalArgumentException("has a parameter that is not accepted; accepted are "
                        + String.join(", ", new TreeSet<>(engine.accepted())));
            }
            parameters.put(
                    name, equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return Map.copyOf(parameters);
    }
}
