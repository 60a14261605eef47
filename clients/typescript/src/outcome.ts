import { ApprovalPending, ToolFailed, ToolgateError, deniedError } from './errors.js';
import { retryAfterOf } from './time.js';
import type { Answer } from './transport.js';
import { objectOf, textOf, type ArtifactReference, type ErrorCode, type JsonObject } from './wire.js';

interface OfCall {
  readonly requestId: string;
  /** The gate's answer as it came, with fields that this version does not know. */
  readonly raw: JsonObject;
}

/** What a tool returned. */
export interface ToolOutput {
  /** The text for a model; after a failure the partial output, or else the message. */
  readonly data: string;
  /** The same for programs, by the tool's result schema. */
  readonly structured: unknown;
  readonly metadata: JsonObject;
  readonly artifacts: readonly ArtifactReference[];
  /** Whether the call was recorded. */
  readonly logged: boolean;
}

/** The tool ran to its end. */
export interface Completed extends OfCall, ToolOutput {
  readonly outcome: 'completed';
  /** Whether the tool reports success; a command that exits with 1 does not. */
  readonly success: boolean;
}

/** The call was allowed and failed. */
export interface Failed extends OfCall, ToolOutput {
  readonly outcome: 'failed';
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly retryable: boolean;
    readonly remediation: string;
    readonly details: JsonObject;
  };
}

/** The call was refused; nothing ran. */
export interface Denied extends OfCall {
  readonly outcome: 'refused';
  readonly reason: string;
  readonly violationType: string;
  readonly allowedTools: readonly string[];
  readonly suggestion: string;
  readonly logged: boolean;
  readonly correlationId: string | undefined;
}

/** The call waits for an approval, or runs. */
export interface Pending extends OfCall {
  readonly outcome: 'pending' | 'running';
  readonly approvalId: string | undefined;
  readonly expiresAt: string | undefined;
  /** The number of seconds to wait before polling again. */
  readonly retryAfter: number | undefined;
}

/** The caller may run the tool itself. */
export interface Authorized extends OfCall {
  readonly outcome: 'authorized';
  readonly permitExpiresAt: string;
  /** The parameters to run the tool with; missing in a collected permit. */
  readonly parameters: JsonObject | undefined;
  readonly logged: boolean;
}

/** The outcome of a call, discriminated by `outcome`. */
export type Outcome = Completed | Failed | Denied | Pending;

/** The outcome in an answer of the gate. */
export function outcomeOf(answer: Answer): Outcome | Authorized {
  const raw = objectOf(answer.body);
  const requestId = textOf(raw['request_id']) ?? '';
  const result = objectOf(raw['result']);
  const status = textOf(raw['status']);
  if (status === 'pending' || status === 'running') {
    return {
      outcome: status,
      requestId,
      approvalId: textOf(raw['approval_id']),
      expiresAt: textOf(raw['expires_at']),
      retryAfter: retryAfterOf(answer.headers),
      raw,
    };
  }
  if (status === 'denied') {
    return {
      outcome: 'refused',
      requestId,
      reason: textOf(raw['reason']) ?? 'The gate refused the call.',
      violationType: textOf(raw['violation_type']) ?? 'permission_denied',
      allowedTools: Array.isArray(raw['allowed_tools']) ? (raw['allowed_tools'] as string[]) : [],
      suggestion: textOf(raw['suggestion']) ?? '',
      logged: raw['logged'] === true,
      correlationId: answer.headers.get('x-correlation-id') ?? undefined,
      raw,
    };
  }
  if (status === 'allowed' && raw['outcome'] === 'authorized') {
    return {
      outcome: 'authorized',
      requestId,
      permitExpiresAt: textOf(raw['permit_expires_at']) ?? '',
      parameters: raw['parameters'] === undefined ? undefined : objectOf(raw['parameters']),
      logged: raw['logged'] === true,
      raw,
    };
  }
  if (status === 'allowed' && raw['outcome'] === 'failed') {
    const error = objectOf(result['error']);
    return {
      outcome: 'failed',
      requestId,
      ...outputOf(raw, result),
      error: {
        code: textOf(error['code']) ?? 'TOOL_EXECUTION_FAILED',
        message: textOf(error['message']) ?? 'The tool failed.',
        retryable: error['retryable'] === true,
        remediation: textOf(error['remediation']) ?? '',
        details: objectOf(error['details']),
      },
      raw,
    };
  }
  if (status === 'allowed' && (raw['outcome'] ?? 'completed') === 'completed' && raw['result'] !== undefined) {
    return { outcome: 'completed', requestId, success: result['success'] === true, ...outputOf(raw, result), raw };
  }
  throw new ToolgateError({
    code: 'UNEXPECTED_RESPONSE',
    message: `The gate answered with status ${answer.status} and no outcome that this client knows.`,
    remediation: 'Check that TOOLGATE_URL is the address of a gate, and use a newer client if the gate is newer.',
    requestId,
  });
}

function outputOf(raw: JsonObject, result: JsonObject): ToolOutput {
  return {
    data: textOf(result['data']) ?? '',
    structured: result['structured'],
    metadata: objectOf(result['metadata']),
    artifacts: Array.isArray(result['artifacts']) ? (result['artifacts'] as ArtifactReference[]) : [],
    logged: raw['logged'] === true,
  };
}

/** The result of a call that ran to its end; every other outcome is thrown. */
export function resultOf(outcome: Outcome): Completed {
  switch (outcome.outcome) {
    case 'completed':
      return outcome;
    case 'failed':
      throw new ToolFailed({ ...outcome.error, requestId: outcome.requestId, partialOutput: outcome.data, raw: outcome.raw });
    case 'refused':
      throw deniedError({
        code: outcome.violationType.toUpperCase(),
        message: outcome.reason,
        remediation: outcome.suggestion,
        retryable: false,
        correlationId: outcome.correlationId,
        requestId: outcome.requestId,
        violationType: outcome.violationType,
        allowedTools: outcome.allowedTools,
        raw: outcome.raw,
      });
    case 'pending':
    case 'running':
      throw new ApprovalPending({
        code: outcome.outcome === 'running' ? 'REQUEST_RUNNING' : 'APPROVAL_REQUIRED',
        message:
          outcome.outcome === 'running'
            ? `Call ${outcome.requestId} still runs.`
            : `Call ${outcome.requestId} waits for an approval.`,
        remediation: 'Collect its outcome later with collect(requestId).',
        retryable: true,
        requestId: outcome.requestId,
        approvalId: outcome.approvalId,
        expiresAt: outcome.expiresAt,
        raw: outcome.raw,
      });
  }
}
