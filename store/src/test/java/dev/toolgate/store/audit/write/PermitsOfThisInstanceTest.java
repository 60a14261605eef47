package dev.toolgate.store.audit.write;

/** The same at the instance that gave the permits. */
class PermitsOfThisInstanceTest extends PostgresPermitsTest {
    @Override
    protected RecentPermits recent() {
        return store().log().recentPermits();
    }
}
