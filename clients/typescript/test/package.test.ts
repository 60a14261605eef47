import * as client from '@toolgate/client';
import * as testing from '@toolgate/client/testing';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test('CommonJS and ES modules export the same', () => {
  assert.deepEqual(Object.keys(require('@toolgate/client') as object).sort(), Object.keys(client).sort());
  assert.deepEqual(Object.keys(require('@toolgate/client/testing') as object), Object.keys(testing));
});

test('the version is that of the package', () => {
  assert.equal(client.VERSION, (JSON.parse(read('package.json')) as { version: string }).version);
});

test('nothing is needed at run time', () => {
  const manifest = JSON.parse(read('package.json')) as object;
  assert.ok(!('dependencies' in manifest) && !('peerDependencies' in manifest) && !('optionalDependencies' in manifest));
});

test('the lock file has no download addresses', () => {
  assert.ok(!read('package-lock.json').includes('"resolved"'));
});

test('values that this version does not know fit the types', () => {
  const role: client.Wire['Role'] = 'gardener';
  const code: client.ErrorCode = 'MOON_IS_FULL';
  assert.deepEqual([role, code], ['gardener', 'MOON_IS_FULL']);
});
