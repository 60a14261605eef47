package dev.toolgate.server.operate.health;

/** The result of one health check, with a sentence about it. */
public record HealthCheck(State state, String detail) {

    /** The state of a part; the worst state is the server's. */
    public enum State {
        OK,
        DEGRADED,
        DOWN
    }

    public static HealthCheck ok(String detail) {
        return new HealthCheck(State.OK, detail);
    }

    public static HealthCheck degraded(String detail) {
        return new HealthCheck(State.DEGRADED, detail);
    }

    public static HealthCheck down(String detail) {
        return new HealthCheck(State.DOWN, detail);
    }
}
