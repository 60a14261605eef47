package dev.toolgate.tools.database;

import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** PostgreSQL refused the statement that a query was sent in. */
final class QueryRefused extends SQLException {
    private static final long serialVersionUID = 1L;

    private final PSQLException byServer;
    private final int prefixLength;

    /**
     * @param prefixLength how many characters of the statement are before the query
     */
    QueryRefused(PSQLException byServer, int prefixLength) {
        super(byServer.getMessage(), byServer.getSQLState(), byServer);
        this.byServer = byServer;
        this.prefixLength = prefixLength;
    }

    PSQLException byServer() {
        return byServer;
    }

    /** The position in the query, from 1; 0 or less if the server named none in it. */
    int position() {
        ServerErrorMessage server = byServer.getServerErrorMessage();
        return server == null ? 0 : server.getPosition() - prefixLength;
    }
}
