import type { ExternalTool, Toolgate } from '@toolgate/client';
import { asSchema, type ToolSet } from 'ai';

/** Further properties of the tools, besides their descriptions and schemas. */
export interface RegisterOptions {
  /** The kind of effect that they have, as policy bundles name it; `External.Call` if left out. */
  capability?: string | undefined;
  /** `dangerous` if left out. */
  danger?: 'safe' | 'dangerous' | undefined;
  /** Why, for the record. */
  reason?: string | undefined;
  /** The name at the gate of a tool; the same if left out. */
  toolName?: ((name: string) => string) | undefined;
}

/** Registers tools at the gate, or changes them, with the key of an operator or admin. Agents then need a grant for each. */
export async function registerTools(operator: Toolgate, tools: ToolSet, options: RegisterOptions = {}): Promise<ExternalTool[]> {
  const { capability = null, danger = null, reason = null, toolName = (same: string) => same } = options;
  return Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]) =>
      operator.externalTools.register(toolName(name), {
        description: (typeof description === 'string' && description) || name,
        input_schema: { ...(await asSchema(inputSchema).jsonSchema) },
        capability,
        danger,
        reason,
      }),
    ),
  );
}
