export { Toolgate, type ToolgateOptions } from './client.js';
export * from './errors.js';
export type { AuthorizeOptions, CallOptions, Gate, Validation } from './gate.js';
export { Listing } from './listing.js';
export type { Authorized, Completed, Denied, Failed, Outcome, Pending, ToolOutput } from './outcome.js';
export { Permit } from './permit.js';
export type * from './wire.js';
export type { ChatApproval, ChatEvent, ChatHistoryMessage, ChatPayloads, ChatSend } from './chat-events.js';
export { ChatSocket, type ChatSocketOptions, type WebSocketConstructor } from './chat-socket.js';
export { GatedAgent, type Escalation, type UseOptions } from './gated-agent.js';
export {
  RemoteToolRouter,
  type RemoteToolRouterOptions,
  type ToolDefinition,
  type ToolRequest,
  type ToolResult,
  type ToolRouter,
} from './remote-tool-router.js';
export type { ApprovalEvent, ApproveOptions } from './resources/approvals.js';
export type { AuditFilter } from './resources/audit.js';
export { ToolsService, type ActionResult, type ToolAction, type ToolActions } from './tools-service.js';
export type { ConnectionOptions } from './settings.js';
export { VERSION } from './version.js';
