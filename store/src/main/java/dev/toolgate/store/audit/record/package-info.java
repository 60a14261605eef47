/** What an audit record is: its columns, its JSON and CSV, its digest, and its place in a chain. */
@NullMarked
package dev.toolgate.store.audit.record;

import org.jspecify.annotations.NullMarked;
