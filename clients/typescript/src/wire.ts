import type { components } from './generated/openapi.js';

/** Every schema of the gate's OpenAPI document, by name. String enums also take values that this version does not know. */
export type Wire = components['schemas'];

/** The codes of the gate and of this client; a newer gate may send others. */
export type ErrorCode =
  | Wire['ErrorCode']
  | 'INVALID_ARGUMENT'
  | 'CONNECTION_FAILED'
  | 'UNEXPECTED_RESPONSE'
  | 'PERMIT_USED'
  | 'STREAM_CUT';

export type Tool = Wire['Tool'];
export type Artifact = Wire['Artifact'];
export type ArtifactReference = Wire['ArtifactReference'];
export type Agent = Wire['Agent'];
export type NewAgent = Wire['NewAgent'];
export type AgentPatch = Wire['AgentPatch'];
export type Approval = Wire['Approval'];
export type ApprovalAnswer = Wire['ApprovalAnswer'];
export type ApprovalScope = Wire['ApprovalScope'];
export type StandingApproval = Wire['StandingApproval'];
export type AuditLog = Wire['AuditLog'];
export type EffectivePermissions = Wire['EffectivePermissions'];
export type HeldPermission = Wire['HeldPermission'];
/** The terms of a grant. */
export type WantedTerms = Omit<Wire['WantedPermission'], 'allowed' | 'reason'>;
export type PermissionChange = Wire['PermissionChange'];
export type ExternalTool = Wire['ExternalTool'];
export type ExternalToolDefinition = Wire['ExternalToolDefinition'];
export type Session = Wire['Session'];
export type WantedSession = Wire['WantedSession'];
export type Key = Wire['Key'];
export type MadeKey = Wire['MadeKey'];
export type WantedKey = Wire['WantedKey'];

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** The value if it is a JSON object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The value if it is a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
