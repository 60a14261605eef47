import { ApprovalPending, DeniedError, RateLimited, ToolFailed, ToolgateError } from '@toolgate/client';

/**
 * The gate gave no permit, so the tool was not run. The message is for the model, to which the AI SDK passes it;
 * `cause` is the client's error, with all details.
 */
export class ToolNotRun extends Error {
  override readonly name = 'ToolNotRun';
  readonly tool: string;

  /** @param allowed tools that the model could use instead */
  constructor(tool: string, cause: unknown, allowed: readonly string[] = []) {
    super(`'${tool}' was not run. ${explanation(cause, allowed)}`, { cause });
    this.tool = tool;
  }
}

function explanation(cause: unknown, allowed: readonly string[]): string {
  if (cause instanceof DeniedError) {
    return [sentence(cause.reason), cause.suggestion, allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : ''].filter(Boolean).join(' ');
  }
  if (cause instanceof ApprovalPending) {
    return 'It waits for the approval of a person, who has not answered yet.';
  }
  if (cause instanceof ToolFailed || cause instanceof RateLimited || cause instanceof TypeError) {
    return sentence(cause.message);
  }
  // Details of a gate failure, such as its address, are not for the model.
  return `The gate gave no permit (${cause instanceof ToolgateError ? cause.code : 'UNEXPECTED'}).`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
