/** The gates that run on one database. */
@NullMarked
package dev.toolgate.store.instance;

import org.jspecify.annotations.NullMarked;
