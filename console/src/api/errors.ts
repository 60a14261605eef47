import { t } from '../strings';

/** A refusal of the server, or that it could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly remediation: string;
  readonly correlationId: string;
  readonly details: Record<string, unknown>;

  constructor(
    status: number,
    code: string,
    message: string,
    remediation: string,
    correlationId = '',
    details: Record<string, unknown> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.remediation = remediation;
    this.correlationId = correlationId;
    this.details = details;
  }

  static of(status: number, body: unknown): ApiError {
    const error = (body as { error?: Record<string, unknown> } | undefined)?.error;
    if (error === undefined) {
      return new ApiError(status, 'UNKNOWN', t.errors.unexpected(status), t.errors.retry);
    }
    return new ApiError(
      status,
      String(error['code']),
      String(error['message']),
      String(error['remediation']),
      String(error['correlation_id'] ?? ''),
      (error['details'] as Record<string, unknown> | undefined) ?? {},
    );
  }

  static unreachable(): ApiError {
    return new ApiError(0, 'UNREACHABLE', t.errors.unreachable, t.errors.unreachableNext);
  }
}
