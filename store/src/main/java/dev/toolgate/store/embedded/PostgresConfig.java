package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The configuration files of the server, rewritten at every start. They are outside the data folder: as root
 * this process never writes into a folder of the database account, which could contain a malicious link.
 */
final class PostgresConfig {
    private static final String SERVER = """
            listen_addresses = '127.0.0.1'
            unix_socket_directories = ''
            password_encryption = 'scram-sha-256'
            max_connections = 100

            # Durability: an acknowledged record must be on disk.
            fsync = on
            full_page_writes = on
            synchronous_commit = on

            # A small server that shares the machine.
            shared_buffers = '64MB'
            max_wal_size = '512MB'
            io_method = 'sync'
            jit = off

            # Cancel the work of disconnected clients.
            client_connection_check_interval = '5s'
            idle_in_transaction_session_timeout = '5min'

            # Log to standard error, which is rotated by ServerLog; no statements or values.
            log_min_messages = 'warning'
            log_checkpoints = off
            log_min_error_statement = 'panic'
            log_error_verbosity = 'terse'
            log_line_prefix = '%m [%p] '
            log_timezone = 'UTC'
            timezone = 'UTC'
            """;

    /** Connections that match no line are refused. */
    private static final String ACCESS = "host all " + String.join(",", Cluster.USER, Cluster.GATE, Cluster.RETENTION)
            + " 127.0.0.1/32 scram-sha-256\n";

    private PostgresConfig() {}

    static Path server(DatabaseLocation location) throws IOException {
        return write(location, "database.conf", SERVER);
    }

    static Path access(DatabaseLocation location) throws IOException {
        return write(location, "database.access", ACCESS);
    }

    private static Path write(DatabaseLocation location, String name, String text) throws IOException {
        Path file = location.folder().resolve(name);
        Permissions.write(file, text, "rw-r--r--");
        return file;
    }
}
