/** Held calls: questions to people that outlive whoever waits for the answer. */
@NullMarked
package dev.toolgate.store.approval;

import org.jspecify.annotations.NullMarked;
