/** Recording of administrative changes in the audit log. */
@NullMarked
package dev.toolgate.server.admin;

import org.jspecify.annotations.NullMarked;
