package dev.toolgate.bench.load;

/** The baseline: a route that only reads and writes JSON. */
final class BareRoute {
    private BareRoute() {}

    static LocalServer start() throws Exception {
        return new LocalServer((asked, answer) -> answer.put("status", "success")
                .put("request_id", asked.path("request_id").asString())
                .put("logged", false));
    }
}
