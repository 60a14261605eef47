/** Commands confined by bubblewrap: Linux namespaces, a read-only system, one writable workspace. */
@NullMarked
package dev.toolgate.runtime.sandbox.command.bubblewrap;

import org.jspecify.annotations.NullMarked;
