package dev.toolgate.tools.database;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/** What a query does wrong is no reason to give up a connection; one that is broken shows when its use ends. */
final class CallersMistakes implements SQLExceptionOverride {
    @java.lang.Override // the interface has a type of the same name
    public SQLExceptionOverride.Override adjudicate(SQLException mistake) {
        return SQLExceptionOverride.Override.DO_NOT_EVICT;
    }
}
