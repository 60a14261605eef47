/** Request ids, claimed by one call at a time on however many gates. */
@NullMarked
package dev.toolgate.store.requestkey;

import org.jspecify.annotations.NullMarked;
