/** The gate between a LangChain4j assistant and its tools: {@link dev.toolgate.langchain4j.ToolgateTools}. */
@NullMarked
package dev.toolgate.langchain4j;

import org.jspecify.annotations.NullMarked;
