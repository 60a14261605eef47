/** Administration of grants: to agents, to groups and by templates, and the history of changes. */
@NullMarked
package dev.toolgate.server.admin.permission;

import org.jspecify.annotations.NullMarked;
