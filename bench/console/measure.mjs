// Measures the console of a running gate in the system's Chromium, and prints each result beside its limit.
import { readdirSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { chromium } from 'playwright-core';

const { TOOLGATE_URL: gate, TOOLGATE_KEY: key, CHROMIUM: browserPath, CONSOLE_FILES: files } = process.env;
const KB = 1000;
const ROUNDS = 7;
const FRAMES = 240;
const ROUTES = ['', 'approvals', 'activity', 'sessions', 'access', 'agents', 'agents/agent_1', 'groups', 'templates', 'tools',
  'tools/bash', 'try', 'servers', 'changes', 'usage', 'integrity', 'chat', 'settings'];

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const sorted = (values) => values.toSorted((one, other) => one - other);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];
const p95 = (values) => sorted(values)[Math.floor(values.length * 0.95)];
const line = (what, value, limit) => console.log(`  ${what.padEnd(52)} ${value.padEnd(34)} ${limit}`);
const kilobytes = (bytes) => `${(bytes / KB).toFixed(1)} KB`;

/** The size of a built file as gzip, by the part of its address after the last slash. */
const compressed = (name) => statSync(`${files}/assets/${name}.gz`).size;
const sum = (names, ending) =>
  [...names].filter((each) => each.endsWith(ending)).reduce((total, each) => total + compressed(each), 0);

/** The built files that an address loads, in a browser that has none of them. */
async function loaded(address, loggedIn) {
  const context = await browser.newContext({ baseURL: gate });
  if (loggedIn) {
    await logIn(context);
  }
  const page = await context.newPage();
  const names = new Set();
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname.match(/^\/console\/assets\/([^/]+\.(?:js|css))$/)?.[1];
    if (name !== undefined) {
      names.add(name);
    }
  });
  await page.goto(`/console/${address}`, { waitUntil: 'load' });
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('load');
  await context.close();
  return names;
}

async function logIn(context) {
  const answered = await context.request.post('/api/v1/console/session', { data: { key } });
  if (answered.status() !== 200) {
    throw new Error(`The log-in was refused: ${answered.status()}`);
  }
}

async function sizes() {
  const first = await loaded('login', false);
  line('first load, script, gzip', kilobytes(sum(first, '.js')), 'limit: 260 KB');
  line('first load, style, gzip', kilobytes(sum(first, '.css')), 'limit: 40 KB');
  let largest = { name: '', bytes: 0 };
  for (const route of ROUTES) {
    const more = new Set([...(await loaded(route, true))].filter((each) => !first.has(each)));
    const bytes = sum(more, '.js');
    if (bytes > largest.bytes) {
      largest = { name: route, bytes };
    }
  }
  line(`the largest page beside that, script (/${largest.name})`, kilobytes(largest.bytes), 'limit: 80 KB');
  const all = readdirSync(`${files}/assets`).filter((each) => each.endsWith('.js'));
  line('the whole console, script', `${kilobytes(sum(all, '.js'))} in ${all.length} files`, '');
}

/** From the beginning of the navigation to a page with its heading and a main thread that has nothing to do. */
async function interactive(slowed) {
  const context = await browser.newContext({ baseURL: gate });
  await logIn(context);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowed });
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('main h1') !== null) {
        observer.disconnect();
        requestIdleCallback(() => (window.interactiveAfter = performance.now()));
      }
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/console/');
  const handle = await page.waitForFunction(() => window.interactiveAfter);
  const after = await handle.jsonValue();
  await context.close();
  return after;
}

/** The time of the main thread from a scroll event to the end of its frame. */
async function frames() {
  const context = await browser.newContext({ baseURL: gate, viewport: { width: 1440, height: 900 } });
  await logIn(context);
  const page = await context.newPage();
  await page.goto('/console/access');
  await page.locator('.matrix-scroll').waitFor();
  await page.locator('.matrix-row').first().waitFor();
  const shape = await page.locator('.matrix-scroll').evaluate((grid) => [grid.ariaRowCount, grid.ariaColCount].map((each) => Number(each) - 1));
  const times = await page.evaluate(async (count) => {
    const scroller = document.querySelector('.matrix-scroll');
    const channel = new MessageChannel();
    const measured = [];
    let began = 0;
    // Captures the event before the page's own listeners run.
    window.addEventListener('scroll', () => {
      began = performance.now();
      requestAnimationFrame(() => channel.port2.postMessage(null));
    }, { capture: true });
    for (let frame = 0; frame < count; frame++) {
      await new Promise((done) => {
        channel.port1.onmessage = () => done(measured.push(performance.now() - began));
        const down = frame % 120 < 60 ? 1 : -1;
        scroller.scrollBy(down * 47, down * 61);
      });
    }
    return measured;
  }, FRAMES);
  await context.close();
  return { shape, times };
}

function matrixBytes() {
  return new Promise((done, failed) => {
    get(`${gate}/api/v1/permissions/matrix`, { headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('end', () => done({ bytes, encoding: response.headers['content-encoding'] }));
    }).on('error', failed);
  });
}

console.log(`\nThe console in a browser (load average ${loadavg()[0].toFixed(1)} on ${cpus().length} processors)`);
await sizes();
await interactive(1); // fills the server's caches
for (const slowed of [1, 4]) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await interactive(slowed));
  }
  line(
    slowed === 1 ? 'interactive' : `interactive, processor slowed ${slowed} times`,
    `median ${Math.round(median(times))} ms of ${ROUNDS}`,
    slowed === 1 ? '' : 'limit: 1,500 ms',
  );
}
const { bytes, encoding } = await matrixBytes();
const { shape, times } = await frames();
const matrix = `matrix of ${shape.map((each) => each.toLocaleString('en')).join(' × ')}`;
line(`${matrix}, data as ${encoding}`, kilobytes(bytes), 'limit: 60 KB');
line(`${matrix}, a frame while scrolling`, `median ${median(times).toFixed(1)} ms, p95 ${p95(times).toFixed(1)} ms`, 'limit: 8 ms on a quiet machine');
await browser.close();
