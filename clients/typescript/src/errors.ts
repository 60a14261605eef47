import type { ErrorCode, JsonObject } from './wire.js';

/** What a {@link ToolgateError} is made of. */
export interface ErrorFields {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remediation?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly correlationId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details?: JsonObject | undefined;
  /** In seconds. */
  readonly retryAfter?: number | undefined;
  readonly raw?: JsonObject | undefined;
  readonly cause?: unknown;
}

/** Every error of the gate and of this client. */
export class ToolgateError extends Error {
  /** The gate's error code, or `CONNECTION_FAILED`, `UNEXPECTED_RESPONSE`, `PERMIT_USED` or `STREAM_CUT` of this client. */
  readonly code: ErrorCode;
  /** What to do about it, in one sentence. */
  readonly remediation: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The id of the request in the server's log. */
  readonly correlationId: string | undefined;
  /** The id of the call, if the error is about one. */
  readonly requestId: string | undefined;
  readonly details: JsonObject;
  /** How many seconds to wait before the request is sent again, if the gate says so. */
  readonly retryAfter: number | undefined;
  /** The gate's answer as it came, with fields that this version does not know. */
  readonly raw: JsonObject;

  constructor(fields: ErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = new.target.name;
    this.code = fields.code;
    this.remediation = fields.remediation ?? '';
    this.retryable = fields.retryable ?? false;
    this.correlationId = fields.correlationId;
    this.requestId = fields.requestId;
    this.details = fields.details ?? {};
    this.retryAfter = fields.retryAfter;
    this.raw = fields.raw ?? {};
  }
}

/** What a {@link DeniedError} is made of. */
export interface DeniedFields extends ErrorFields {
  readonly violationType?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
}

/** The gate refused; nothing ran. */
export class DeniedError extends ToolgateError {
  /** The kind of refusal, such as `permission_denied`. */
  readonly violationType: string;
  /** The tools that the agent may use. */
  readonly allowedTools: readonly string[];

  constructor(fields: DeniedFields) {
    super(fields);
    this.violationType = fields.violationType ?? fields.code.toLowerCase();
    this.allowedTools = fields.allowedTools ?? [];
  }

  /** Why it was refused. */
  get reason(): string {
    return this.message;
  }

  /** What to do instead. */
  get suggestion(): string {
    return this.remediation;
  }
}

/** A person denied this call. */
export class ApprovalDenied extends DeniedError {}

/** Nobody approved the call in time. */
export class ApprovalTimeout extends DeniedError {}

/** The call still waits, or still runs; `collect(requestId)` gets its outcome later. */
export class ApprovalPending extends ToolgateError {
  readonly approvalId: string | undefined;
  readonly expiresAt: string | undefined;

  constructor(fields: ErrorFields & { approvalId?: string | undefined; expiresAt?: string | undefined }) {
    super(fields);
    this.approvalId = fields.approvalId;
    this.expiresAt = fields.expiresAt;
  }
}

/** The call was allowed and the tool failed, or its arguments were invalid. */
export class ToolFailed extends ToolgateError {
  /** What the tool wrote before it failed. */
  readonly partialOutput: string;

  constructor(fields: ErrorFields & { partialOutput?: string | undefined }) {
    super(fields);
    this.partialOutput = fields.partialOutput ?? '';
  }
}

/** The key is missing, unknown, expired or revoked. */
export class AuthenticationError extends ToolgateError {}

/** Too many calls; `retryAfter` says how long to wait. */
export class RateLimited extends ToolgateError {}

/** The gate could not be reached, or did not answer in time. */
export class ConnectionFailed extends ToolgateError {}

/** The tool ran, but its outcome could not be reported; the permit will be recorded as interrupted. */
export class OutcomeNotReported extends ToolgateError {
  /** What the tool returned. */
  readonly value: unknown;

  constructor(fields: ErrorFields & { value: unknown }) {
    super(fields);
    this.value = fields.value;
  }
}

/** The error of the class for this kind of refusal. */
export function deniedError(fields: DeniedFields): DeniedError {
  switch (fields.violationType ?? fields.code.toLowerCase()) {
    case 'approval_denied':
      return new ApprovalDenied(fields);
    case 'approval_timeout':
      return new ApprovalTimeout(fields);
    default:
      return new DeniedError(fields);
  }
}

const DENIALS = new Set([
  'PERMISSION_DENIED',
  'CAPABILITY_DENIED',
  'APPROVAL_REQUIRED',
  'APPROVAL_DENIED',
  'APPROVAL_TIMEOUT',
  'POLICY_EXPIRED',
  'LLM_BUDGET_EXCEEDED',
]);

/** The error of the class for this code. */
export function errorOf(fields: ErrorFields): ToolgateError {
  if (fields.code === 'UNAUTHORIZED') {
    return new AuthenticationError(fields);
  }
  if (fields.code === 'RATE_LIMITED') {
    return new RateLimited(fields);
  }
  return DENIALS.has(fields.code) ? deniedError(fields) : new ToolgateError(fields);
}
