package dev.toolgate.store.connection;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address and credentials of a database, from the setting {@code DATABASE_URL}. The password is never
 * part of its error messages or of {@link #toString}.
 *
 * @param jdbcUrl for the driver
 * @param user empty if it is in the URL or the driver's default
 * @param password likewise
 */
public record DatabaseUrl(String jdbcUrl, String user, String password) {
    private static final String EXPECTED = "write it as postgresql://user:password@host:5432/database";
    private static final String JDBC = "jdbc:postgresql:";
    private static final Pattern SCHEME = Pattern.compile("postgres(?:ql)?://(.*)");
    private static final Pattern SERVERS = Pattern.compile("[A-Za-z0-9._\\-\\[\\]:,]*");

    /** Parameter names of libpq that have another name in the JDBC driver. */
    private static final Map<String, String> DRIVER_NAMES = Map.of(
            "application_name", "ApplicationName",
            "connect_timeout", "connectTimeout",
            "channel_binding", "channelBinding");

    /**
     * Parses the setting.
     *
     * @throws IllegalArgumentException if it is invalid; its message is one sentence for the user
     */
    public static DatabaseUrl parse(String setting) {
        String text = setting.strip();
        if (text.startsWith(JDBC)) {
            return new DatabaseUrl(text, "", "");
        }
        Matcher scheme = SCHEME.matcher(text);
        if (!scheme.matches()) {
            throw wrong("does not begin with postgres://, postgresql:// or " + JDBC);
        }
        String rest = scheme.group(1);
        int question = rest.indexOf('?');
        String query = question < 0 ? "" : rest.substring(question + 1);
        rest = question < 0 ? rest : rest.substring(0, question);
        // A password may contain an unescaped slash, a host cannot; so the credentials are split off first.
        int at = rest.lastIndexOf('@');
        String login = at < 0 ? "" : rest.substring(0, at);
        rest = rest.substring(at + 1);
        int slash = rest.indexOf('/');
        String servers = slash < 0 ? rest : rest.substring(0, slash);
        String database = slash < 0 ? "" : decode(rest.substring(slash + 1), "database name");
        if (!SERVERS.matcher(servers).matches()) {
            throw wrong("has a host name with invalid characters");
        }
        return build(login, servers, database, query);
    }

    private static DatabaseUrl build(String login, String servers, String database, String query) {
        int colon = login.indexOf(':');
        String user = decode(colon < 0 ? login : login.substring(0, colon), "user");
        String password = colon < 0 ? "" : decode(login.substring(colon + 1), "password");
        List<String> parameters = new ArrayList<>();
        for (String parameter : query.isEmpty() ? new String[0] : query.split("&")) {
            int equals = parameter.indexOf('=');
            if (equals <= 0) {
                throw wrong("has a parameter without a name or a value");
            }
            String name = decode(parameter.substring(0, equals), "parameter");
            String value = decode(parameter.substring(equals + 1), "parameter");
            switch (name) {
                case "user" -> user = value;
                case "password" -> password = value;
                default -> parameters.add(encode(DRIVER_NAMES.getOrDefault(name, name)) + "=" + encode(value));
            }
        }
        String host = servers.isEmpty() ? "localhost" : servers;
        String name = database.isEmpty() ? user : database;
        String tail = parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
        return new DatabaseUrl(JDBC + "//" + host + "/" + encode(name) + tail, user, password);
    }

    private static String decode(String text, String part) {
        try {
            // URLDecoder decodes a plus as a space, but in these URLs it is a plus.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (
                @SuppressWarnings("UnusedException")
                IllegalArgumentException quotesItsInput) {
            throw wrong("has a % in its " + part + " that is not followed by two hexadecimal digits");
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("DATABASE_URL " + what + "; " + EXPECTED + ".");
    }

    /** The address without credentials. */
    public String address() {
        int question = jdbcUrl.indexOf('?');
        return jdbcUrl.substring("jdbc:".length(), question < 0 ? jdbcUrl.length() : question);
    }

    @Override
    public String toString() {
        return address();
    }
}
