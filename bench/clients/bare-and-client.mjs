// Makes the same call with fetch alone and with the TypeScript client, in turn, and prints the ratio of their times. The gate is that of
// TOOLGATE_URL, TOOLGATE_KEY and TOOLGATE_AGENT. Arguments: how many rounds, and how many calls of each in a round.
import { randomUUID } from 'node:crypto';
import { Toolgate } from '../../clients/typescript/dist/esm/index.js';

const [rounds, calls] = process.argv.slice(2).map(Number);
const WARM_UP = 2;
const BAR = 1.25;
const { TOOLGATE_URL, TOOLGATE_KEY, TOOLGATE_AGENT } = process.env;
const gate = new Toolgate();

async function withFetch() {
  const call = { request_id: randomUUID(), agent_id: TOOLGATE_AGENT, tool_name: 'noop', operation: 'call', parameters: { text: 'hello' } };
  const answer = await fetch(`${TOOLGATE_URL}/api/v1/tools/execute`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOOLGATE_KEY}`, 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify(call),
  });
  expect((await answer.json()).result.success);
}

async function withClient() {
  expect((await gate.execute('noop', { text: 'hello' })).success);
}

function expect(success) {
  if (success !== true) {
    throw new Error('The call did not succeed.');
  }
}

/** Microseconds and microseconds of processor time for each way, whose calls take turns. */
async function oneRound(...ways) {
  const sums = ways.map(() => [0, 0]);
  for (let i = 0; i < calls; i++) {
    for (const [index, way] of ways.entries()) {
      const [begun, used] = [performance.now(), process.cpuUsage()];
      await way();
      const { user, system } = process.cpuUsage(used);
      sums[index][0] += (performance.now() - begun) * 1000;
      sums[index][1] += user + system;
    }
  }
  return sums;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const measured = [];
for (let round = 0; round < WARM_UP + rounds; round++) {
  const sums = await oneRound(withFetch, withClient);
  if (round >= WARM_UP) {
    measured.push(sums);
  }
}
for (const [index, name] of ['fetch', 'the TypeScript client'].entries()) {
  const [elapsed, processor] = [0, 1].map((kind) => (median(measured.map((each) => each[index][kind])) / calls).toFixed(0).padStart(8));
  console.log(`  ${name.padEnd(24)} ${elapsed} us elapsed ${processor} us of the caller's processor`);
}
const [elapsed, processor] = [0, 1].map((kind) => median(measured.map(([bare, client]) => client[kind] / bare[kind])).toFixed(3));
console.log(`ratio TypeScript client / fetch: ${elapsed} (bar: at most ${BAR}), by processor time of the caller ${processor}`);
