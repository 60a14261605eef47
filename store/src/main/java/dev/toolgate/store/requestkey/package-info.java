/** Request ids, claimed by one call at a time across all gates. */
@NullMarked
package dev.toolgate.store.requestkey;

import org.jspecify.annotations.NullMarked;
