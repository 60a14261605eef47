package dev.toolgate.store.connection;

import javax.sql.DataSource;

/**
 * The connections to one database, by purpose.
 *
 * @param pool for general work
 * @param checks for short queries on which every call depends, so that they never wait behind general work
 * @param listener for change notifications
 */
public record Connections(DataSource pool, DataSource checks, DatabaseListener listener) {}
