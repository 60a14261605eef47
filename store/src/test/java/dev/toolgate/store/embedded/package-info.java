@NullMarked
package dev.toolgate.store.embedded;

import org.jspecify.annotations.NullMarked;
