package dev.toolgate.store;

import java.sql.SQLException;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Drops the databases of every test class that has ended. JUnit finds it as a service. */
public final class EndedTestClasses implements TestExecutionListener {
    /** The engine and the class. */
    private static final int SEGMENTS_OF_CLASS = 2;

    @Override
    public void executionFinished(TestIdentifier ended, TestExecutionResult result) {
        UniqueId id = ended.getUniqueIdObject();
        if (id.getSegments().size() == SEGMENTS_OF_CLASS) {
            try {
                SharedPostgres.dropDatabasesOfEndedClass();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
