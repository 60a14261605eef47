package dev.toolgate.store.connection;

import javax.sql.DataSource;

/**
 * The ways to one database.
 *
 * @param pool for work, which waits its turn
 * @param checks for short questions on which every call depends, so that they never wait behind work
 * @param listener for those who want to know of changes
 */
public record Connections(DataSource pool, DataSource checks, DatabaseListener listener) {}
