package dev.toolgate.tools.database;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Creates JDBC data sources, with all security-relevant driver settings fixed. */
final class DriverSource {
    private static final int CONNECT_SECONDS = 10;
    private static final String MAX_RESULT_BUFFER =
            "64M"; // a single value can have a gigabyte, too much to hold in memory
    private static final Duration NETWORK_GRACE = Duration.ofSeconds(15);

    private DriverSource() {}

    static DataSource of(DatabaseTarget target) throws SQLException {
        Duration socketTimeout = target.timeout().plus(NETWORK_GRACE);
        return switch (target.url().engine()) {
            case POSTGRESQL -> postgres(target.url(), socketTimeout);
            case MARIADB -> mariaDb(target.url(), socketTimeout);
        };
    }

    private static DataSource postgres(TargetUrl url, Duration socketTimeout) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {url.host()});
        source.setPortNumbers(new int[] {url.port()});
        source.setDatabaseName(url.database());
        for (Map.Entry<String, String> parameter : url.parameters().entrySet()) {
            source.setProperty(parameter.getKey(), parameter.getValue());
        }
        source.setProperty("preferQueryMode", "extended"); // in this mode the server refuses multiple statements
        source.setProperty("prepareThreshold", "0");
        source.setProperty("maxResultBuffer", MAX_RESULT_BUFFER);
        source.setProperty("ApplicationName", "toolgate");
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setLoginTimeout(CONNECT_SECONDS);
        source.setSocketTimeout((int) socketTimeout.toSeconds());
        return source;
    }

    private static DataSource mariaDb(TargetUrl url, Duration socketTimeout) throws SQLException {
        Map<String, String> parameters = new TreeMap<>(url.parameters());
        parameters.put("useServerPrepStmts", "true"); // the server reports the result columns before execution
        parameters.put("cachePrepStmts", "false");
        parameters.put("allowMultiQueries", "false");
        parameters.put("allowLocalInfile", "false");
        parameters.put("useResetConnection", "true");
        parameters.put("permitRedirect", "false");
        parameters.put("connectTimeout", String.valueOf(CONNECT_SECONDS * 1000));
        parameters.put("socketTimeout", String.valueOf(socketTimeout.toMillis()));
        StringBuilder jdbc =
                new StringBuilder("jdbc:mariadb://" + url.host() + ":" + url.port() + "/" + url.database() + "?");
        parameters.forEach((name, value) -> jdbc.append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                .append('&'));
        return new MariaDbDataSource(jdbc.substring(0, jdbc.length() - 1));
    }
}
