/** The PostgreSQL implementations of the core's ports: connections, migrations, and the embedded server. */
@NullMarked
package dev.toolgate.store;

import org.jspecify.annotations.NullMarked;
