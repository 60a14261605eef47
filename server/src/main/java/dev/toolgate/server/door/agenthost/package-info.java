/** The backend tool service for agent hosts: {@code /tools/{toolName}/invoke}. */
@NullMarked
package dev.toolgate.server.door.agenthost;

import org.jspecify.annotations.NullMarked;
