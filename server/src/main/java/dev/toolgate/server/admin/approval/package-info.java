/** What people are asked, and their answers. */
@NullMarked
package dev.toolgate.server.admin.approval;

import org.jspecify.annotations.NullMarked;
