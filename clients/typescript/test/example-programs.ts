import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { formatWithOptions } from 'node:util';

/** A program of a folder of examples; what it prints is a comment at its end. */
export interface Example {
  name: string;
  module: URL;
  code: string;
  prints: string | undefined;
}

/** The examples of a folder in this order, which must be all of them. */
export function examplesIn(folder: URL, names: string[]): Example[] {
  assert.deepEqual(readdirSync(folder).sort(), names.map((name) => `${name}.ts`).sort(), 'every example is run');
  return names.map((name) => {
    const module = new URL(`${name}.ts`, folder);
    const code = readFileSync(module, 'utf8');
    return { name, module, code, prints: /\/\* Prints:\n([^]*?)\*\//.exec(code)?.[1] };
  });
}

/** Runs an example in this process and compares what it prints. */
export async function runExample(t: TestContext, { module, prints }: Example): Promise<void> {
  const lines: string[] = [];
  const log = t.mock.method(console, 'log', (...values: unknown[]) => lines.push(formatWithOptions({ colors: false }, ...values)));
  try {
    await import(module.href);
  } finally {
    log.mock.restore();
  }
  assert.equal(`${lines.join('\n')}\n`, prints);
}

/** Every piece of code in a document is part of an example. */
export function hasCodeOf(document: URL, examples: Example[]): void {
  const withoutLayout = (code: string): string => code.replace(/\s+/g, '');
  const blocks = [...readFileSync(document, 'utf8').matchAll(/```(?:ts|js)\n([^]*?)```/g)].map(([, code]) => code!);
  assert.ok(blocks.length > 0);
  for (const block of blocks) {
    assert.ok(examples.some(({ code }) => withoutLayout(code).includes(withoutLayout(block))), block);
  }
}
