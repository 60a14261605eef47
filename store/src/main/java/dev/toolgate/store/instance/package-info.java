/** The instances that share one database: their identity and heartbeat. */
@NullMarked
package dev.toolgate.store.instance;

import org.jspecify.annotations.NullMarked;
