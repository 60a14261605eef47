/** Administration of policy sessions. */
@NullMarked
package dev.toolgate.server.admin.session;

import org.jspecify.annotations.NullMarked;
