/** Artifacts: metadata, access rules, and a store made of blobs and an index. */
@NullMarked
package dev.toolgate.core.artifact;

import org.jspecify.annotations.NullMarked;
