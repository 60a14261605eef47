import { MockProviderV4 } from 'ai/test';
import { after, before, suite, test, type TestContext } from 'node:test';
import { examplesIn, hasCodeOf, runExample } from '../../../clients/typescript/test/example-programs.ts';
import { admin } from '../../../clients/typescript/test/gate/setup.ts';
import { modelSaying, type Said } from './scripted-model.ts';

const PACKAGE = new URL('../', import.meta.url);
const DEPLOYS: Said[] = [[['call_1', 'deploy', { host: 'staging' }]], 'The services are deployed to staging.'];

/** What the model of each example says. */
const SCRIPTS: Record<string, Said[]> = {
  'first-run': DEPLOYS,
  denied: [[['call_1', 'drop_tables', { database: 'shop' }]], 'I may not delete tables.'],
  'gate-tools': [[['call_1', 'file_list', { path: '.' }]], 'I have listed it.'],
  'unit-test': DEPLOYS,
};
const EXAMPLES = examplesIn(new URL('examples/', PACKAGE), Object.keys(SCRIPTS));

suite('examples', () => {
  before(async () => {
    process.env['TOOLGATE_AGENT'] = 'shipper';
    await admin.agents.create({ agent_id: 'shipper' });
    await admin.permissions.grant('shipper', 'deploy');
    await admin.permissions.grant('shipper', 'file_list');
    const drop = { description: 'Deletes tables.', input_schema: { type: 'object' } };
    await admin.externalTools.register('drop_tables', drop);
  });

  after(() => {
    delete process.env['TOOLGATE_AGENT'];
    delete globalThis.AI_SDK_DEFAULT_PROVIDER;
  });

  for (const example of EXAMPLES) {
    test(`the example ${example.name} prints what it says`, async (t) => {
      const model = modelSaying(...SCRIPTS[example.name]!);
      globalThis.AI_SDK_DEFAULT_PROVIDER = new MockProviderV4({ languageModels: { 'openai/gpt-5': model } });
      await runExample(t as TestContext, example);
    });
  }

  for (const document of ['README.md', '../../docs/guides/ai-sdk.md']) {
    test(`the code in ${document.split('/').at(-1)} is that of the examples`, () => hasCodeOf(new URL(document, PACKAGE), EXAMPLES));
  }
});
