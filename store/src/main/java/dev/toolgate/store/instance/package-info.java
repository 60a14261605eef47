/** The instances that run on one database: who they are and that they are there. */
@NullMarked
package dev.toolgate.store.instance;

import org.jspecify.annotations.NullMarked;
