/** Administration of agents and groups. */
@NullMarked
package dev.toolgate.server.admin.directory;

import org.jspecify.annotations.NullMarked;
