package dev.toolgate.store.audit.write;

/** The same tests on the instance that issued the permits. */
class PermitsOfThisInstanceTest extends PostgresPermitsTest {
    @Override
    protected RecentPermits recent() {
        return store().log().recentPermits();
    }
}
