import { after, before, suite, test, type TestContext } from 'node:test';
import { examplesIn, hasCodeOf, runExample } from '../example-programs.ts';
import { admin, sessionOf } from './setup.ts';

const PACKAGE = new URL('../../', import.meta.url);

// In this order, because one answers what another one asked, and not at once, because console.log is theirs.
const EXAMPLES = examplesIn(new URL('examples/', PACKAGE), [
  'first-call',
  'denied',
  'outcomes',
  'approvals',
  'permit',
  'agent',
  'front-end',
  'agent-host',
  'chat',
  'administration',
  'unit-test',
]);

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

  for (const example of EXAMPLES) {
    test(`the example ${example.name} prints what it says`, async (t) => {
      if (example.name === 'permit') {
        await admin.permissions.grant('courier', 'deploy');
      }
      await runExample(t as TestContext, example);
    });
  }

  for (const document of ['README.md', '../../docs/guides/typescript.md']) {
    test(`the code in ${document.split('/').at(-1)} is that of the examples`, () => hasCodeOf(new URL(document, PACKAGE), EXAMPLES));
  }
});
