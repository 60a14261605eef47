package dev.toolgate.server.operate.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private final Metrics metrics = new Metrics(new ToolLabels(new ToolCatalog()));

    @Test
    void requests_are_counted_and_timed_by_route_method_and_status() {
        String route = "/api/v1/agents/{agent_id}";
        metrics.requestEnded("GET", route, 200, Duration.ofMillis(2).toNanos());
        metrics.requestEnded("GET", route, 200, Duration.ofMillis(200).toNanos());
        metrics.requestEnded("GET", route, 404, 1);
        assertThat(metrics.scrape())
                .contains(
                        "toolgate_http_requests_total{method=\"GET\",route=\"/api/v1/agents/{agent_id}\",status=\"200\"} 2.0")
                .contains("status=\"404\"} 1.0")
                .contains(
                        "toolgate_http_request_seconds_bucket{method=\"GET\",route=\"/api/v1/agents/{agent_id}\",le=\"0.005\"} 2")
                .contains("toolgate_http_request_seconds_count{method=\"GET\",route=\"/api/v1/agents/{agent_id}\"} 3");
    }

    @Test
    void the_pool_gauges_show_the_current_state() throws Exception {
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            PoolGauges.watch(database.dataSource(), metrics);
            try (Connection _ = database.dataSource().getConnection()) {
                assertThat(metrics.scrape()).contains("toolgate_pool_connections{state=\"active\"} 1.0");
            }
            assertThat(metrics.scrape())
                    .contains("toolgate_pool_connections{state=\"active\"} 0.0")
                    .contains("toolgate_pool_connections{state=\"waiting\"} 0.0");
        }
    }
}
