package dev.toolgate.client.testing;

import java.util.Map;

/**
 * A call that the mock has decided about. A permit is one, and the report of its outcome another one.
 *
 * @param agent the agent that made it
 * @param tool the tool
 * @param parameters the arguments
 * @param outcome {@code completed}, {@code failed}, {@code denied} or {@code authorized}
 */
public record MockCall(String agent, String tool, Map<String, Object> parameters, String outcome) {}
