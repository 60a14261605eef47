/** Administration of tools that run elsewhere. */
@NullMarked
package dev.toolgate.server.admin.external;

import org.jspecify.annotations.NullMarked;
