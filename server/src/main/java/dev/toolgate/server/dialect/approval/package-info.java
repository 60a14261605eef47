/** What people are asked, and their answers. */
@NullMarked
package dev.toolgate.server.dialect.approval;

import org.jspecify.annotations.NullMarked;
