/** The database behind the ports of the core: connections, migrations, and where the server itself comes from. */
@NullMarked
package dev.toolgate.store;

import org.jspecify.annotations.NullMarked;
