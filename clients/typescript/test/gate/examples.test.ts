import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, before, suite, test, type TestContext } from 'node:test';
import { formatWithOptions } from 'node:util';
import { admin, sessionOf } from './setup.ts';

const PACKAGE = new URL('../../', import.meta.url);
const GUIDE = new URL('../../docs/guides/typescript.md', PACKAGE);
const text = (file: URL): string => readFileSync(file, 'utf8');
const withoutLayout = (code: string): string => code.replace(/\s+/g, '');

/** Runs a module in this process and returns what it printed. */
async function printed(t: TestContext, module: URL): Promise<string> {
  const lines: string[] = [];
  const log = t.mock.method(console, 'log', (...values: unknown[]) => lines.push(formatWithOptions({ colors: false }, ...values)));
  try {
    await import(module.href);
  } finally {
    log.mock.restore();
  }
  return `${lines.join('\n')}\n`;
}

// In this order, because one answers what another one asked, and not at once, because console.log is theirs.
const EXAMPLES = ['first-call', 'denied', 'outcomes', 'approvals', 'permit', 'agent', 'front-end', 'agent-host', 'chat', 'administration', 'unit-test'];

suite('examples', () => {
  before(async () => {
    process.env['TOOLGATE_AGENT'] = 'courier';
    await admin.agents.create({ agent_id: 'courier' });
    await admin.permissions.grant('courier', 'file_list');
    await admin.permissions.grant('courier', 'file_write', { requires_approval: true });
    await admin.externalTools.register('deploy', { description: 'Deploys.', input_schema: { type: 'object' }, capability: 'Deploy.Run' });
    await sessionOf('courier', [{ name: 'File.Read' }], 'sess_1');
  });

  after(() => {
    delete process.env['TOOLGATE_AGENT'];
  });

  test('every example is run', () => {
    const files = readdirSync(new URL('examples/', PACKAGE)).map((file) => file.replace(/\.ts$/, ''));
    assert.deepEqual(files.sort(), [...EXAMPLES].sort());
  });

  for (const name of EXAMPLES) {
    test(`the example ${name} prints what it says`, async (t) => {
      if (name === 'permit') {
        await admin.permissions.grant('courier', 'deploy');
      }
      const file = new URL(`examples/${name}.ts`, PACKAGE);
      const expected = /\/\* Prints:\n([^]*?)\*\//.exec(text(file))?.[1];
      assert.equal(await printed(t as TestContext, file), expected);
    });
  }

  for (const document of [new URL('README.md', PACKAGE), GUIDE]) {
    test(`the code in ${document.pathname.split('/').at(-1)} is that of the examples`, () => {
      const blocks = [...text(document).matchAll(/```(?:ts|js)\n([^]*?)```/g)].map(([, code]) => withoutLayout(code!));
      assert.ok(blocks.length >= 3);
      const examples = EXAMPLES.map((name) => withoutLayout(text(new URL(`examples/${name}.ts`, PACKAGE))));
      for (const block of blocks) {
        assert.ok(examples.some((example) => example.includes(block)), block);
      }
    });
  }
});
