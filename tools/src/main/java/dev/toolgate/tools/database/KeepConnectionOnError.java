package dev.toolgate.tools.database;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/** Keeps a pooled connection after an SQL error of the caller; a broken connection is detected when it is reset. */
final class KeepConnectionOnError implements SQLExceptionOverride {
    @java.lang.Override // the interface has a type of the same name
    public SQLExceptionOverride.Override adjudicate(SQLException mistake) {
        return SQLExceptionOverride.Override.DO_NOT_EVICT;
    }
}
