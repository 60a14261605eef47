/** Tenants and their agents. */
@NullMarked
package dev.toolgate.store.directory;

import org.jspecify.annotations.NullMarked;
