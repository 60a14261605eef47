package dev.toolgate.server.operate.health;

/** What was found out about one part, and a sentence about it. */
public record HealthCheck(State state, String detail) {

    /** How well a part does its work; the worst one is the whole server's. */
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
