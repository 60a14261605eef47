package dev.toolgate.client.model;

import org.jspecify.annotations.Nullable;

/**
 * An event of the stream of approvals.
 *
 * @param name {@code opened}, {@code answered}, {@code cut} if this client reads too slowly, or one that a later server
 *     adds
 * @param approval the approval request; null if the event has none
 * @param data the data as it came
 */
public record ApprovalEvent(String name, @Nullable Approval approval, String data) {}
