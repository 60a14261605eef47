package dev.toolgate.tools.web;

import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;

/** Sums up a page for a task; a model does it better, the words of the task do it without one. */
@FunctionalInterface
public interface Summariser {

    /** What of the page matters for the task. */
    Summary summarise(PageText page, String task, ToolContext context) throws ToolFailure, InterruptedException;
}
