package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Path;

/**
 * How the server is set up, written anew at every start. The files lie beside the data and not in it: as root
 * we never write into a folder of the database's account, which could have left a link there.
 */
final class Settings {
    private static final String SERVER = """
            listen_addresses = '127.0.0.1'
            unix_socket_directories = ''
            password_encryption = 'scram-sha-256'
            max_connections = 100

            # What was answered as recorded is on the disk.
            fsync = on
            full_page_writes = on
            synchronous_commit = on

            # A small server beside others on the machine.
            shared_buffers = '64MB'
            max_wal_size = '512MB'
            io_method = 'sync'
            jit = off

            # Work of a client that is gone ends.
            client_connection_check_interval = '5s'
            idle_in_transaction_session_timeout = '5min'

            # To standard error, which we keep within bounds; statements and values stay out of it.
            log_min_messages = 'warning'
            log_checkpoints = off
            log_min_error_statement = 'panic'
            log_error_verbosity = 'terse'
            log_line_prefix = '%m [%p] '
            log_timezone = 'UTC'
            timezone = 'UTC'
            """;

    /** Whoever no line matches is refused. */
    private static final String ACCESS = "host all " + String.join(",", Cluster.USER, Cluster.GATE, Cluster.RETENTION)
            + " 127.0.0.1/32 scram-sha-256\n";

    private Settings() {}

    static Path server(Place place) throws IOException {
        return write(place, "database.conf", SERVER);
    }

    static Path access(Place place) throws IOException {
        return write(place, "database.access", ACCESS);
    }

    private static Path write(Place place, String name, String text) throws IOException {
        Path file = place.folder().resolve(name);
        Permissions.write(file, text, "rw-r--r--");
        return file;
    }
}
