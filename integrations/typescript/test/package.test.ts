import * as aiSdk from '@toolgate/integrations/ai-sdk';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('CommonJS and ES modules export the same', () => {
  assert.deepEqual(Object.keys(require('@toolgate/integrations/ai-sdk') as object).sort(), Object.keys(aiSdk).sort());
});

test('the frameworks are optional', () => {
  const manifest = JSON.parse(read('package.json')) as { dependencies?: object; peerDependencies: object; peerDependenciesMeta: Record<string, { optional: boolean }> };
  assert.equal(manifest.dependencies, undefined);
  const frameworks = Object.keys(manifest.peerDependencies).filter((name) => name !== '@toolgate/client');
  assert.deepEqual(frameworks.filter((name) => !manifest.peerDependenciesMeta[name]?.optional), []);
});

test('the lock file has no download addresses', () => {
  assert.ok(!/"resolved": "(?!\.\.\/)/.test(read('package-lock.json')));
});
