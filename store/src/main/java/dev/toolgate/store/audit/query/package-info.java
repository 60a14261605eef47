/** Reading the audit log: queries, costs, feeds and followers. */
@NullMarked
package dev.toolgate.store.audit.query;

import org.jspecify.annotations.NullMarked;
