/** Reviews permissions without changing them: the whole matrix, one call, and drafts of changes. */
@NullMarked
package dev.toolgate.server.admin.review;

import org.jspecify.annotations.NullMarked;
