import type { BrowserContext, Page } from '@playwright/test';
import { expect, logIn, test } from './gate';

const PROVIDER = process.env['PROVIDER_URL'] ?? '';
const SESSION = 'toolgate_session';

test.use({ baseURL: process.env['SIGN_ON_URL'] ?? '', provider: PROVIDER });
test.beforeEach(async ({ context }) => {
  // The provider's pages ask for a font from elsewhere, which nobody here needs.
  await context.route(/googleapis/, (route) => route.abort());
});

/** Logs in through the pages of the provider. */
async function signOn(page: Page, person: string): Promise<void> {
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  await page.getByPlaceholder('Enter any login').fill(person);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function sessionOf(context: BrowserContext): Promise<string | undefined> {
  return (await context.cookies()).find((each) => each.name === SESSION)?.value;
}

/** Who the server says this browser is. */
async function whoIs(page: Page): Promise<string | undefined> {
  const answered = await page.request.get('/api/v1/console/session');
  return ((await answered.json()) as { name?: string }).name;
}

test('a person logs in at the provider, approves, is named, and signs out', async ({ page, context, gate }) => {
  const id = await gate.held('person_agent', 'file_write', { path: 'person.txt', content: 'x' });
  const { request_id: request } = (await gate.approval(id)) as unknown as { request_id: string };
  await page.goto(`/console/approvals?q=person_agent&id=${id}`);
  await signOn(page, 'bob');
  await expect(page).toHaveURL(new RegExp(`/console/approvals\\?q=person_agent&id=${id}`));
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByRole('menu')).toContainText('Bob');
  await expect(page.getByRole('menu')).toContainText('operator');
  await page.keyboard.press('Escape');
  // The group says the role: an operator answers, and may neither see keys nor verify the log.
  await expect(page.getByRole('link', { name: 'Integrity' })).toHaveCount(0);
  expect((await page.request.get('/api/v1/keys')).status()).toBe(403);

  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve: sure?' }).click();
  await expect(page.locator('.pane-detail')).toContainText('Approved by person:bob@example.org#');
  expect((await gate.approval(id)).answered_by).toMatch(/^person:bob@example\.org#/);
  await expect
    .poll(async () => (await (await gate.api.get(`/api/v1/audit/logs?request_id=${request}`)).json()) as unknown[])
    .toMatchObject([{ approved_by: expect.stringMatching(/^person:bob@example\.org#/) as string, status: 'COMPLETED' }]);

  const session = await sessionOf(context);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page.getByRole('heading', { name: 'Log in to Toolgate' })).toBeVisible();
  expect(await whoIs(page)).toBeUndefined();
  const stolen = await page.request.get('/api/v1/whoami', { headers: { Cookie: `${SESSION}=${session ?? ''}` } });
  expect(stolen.status()).toBe(401);
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  await expect(page.getByPlaceholder('Enter any login'), 'the provider asks again').toBeVisible();
});

test('somebody whose groups have no role is told so and stays outside', async ({ page, context }) => {
  await page.goto('/console/');
  await signOn(page, 'eve');
  await expect(page.getByRole('alert')).toContainText('none of your groups has access here');
  expect(await sessionOf(context)).toBeUndefined();
});

test('a session planted before the log-in does not become the log-in of its victim', async ({ page, context, browser, baseURL }) => {
  const attacker = await browser.newContext({ baseURL: baseURL ?? '' });
  const attackers = await attacker.newPage();
  await logIn(attackers, 'auditor');
  const planted = (await sessionOf(attacker)) ?? '';
  const before = await whoIs(attackers);
  await context.addCookies([{ name: SESSION, value: planted, url: baseURL ?? '' }]);
  await page.goto('/console/');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page.goto('/auth/oidc/login');
  await page.getByPlaceholder('Enter any login').fill('ada');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  expect(await whoIs(page)).toMatch(/^person:ada@example\.org#/);
  expect(await sessionOf(context)).not.toBe(planted);
  expect([before, undefined], 'the attacker is nobody else').toContain(await whoIs(attackers));
  await attacker.close();
});

test('an answer of the provider counts once, and only in the browser that asked', async ({ page, context, browser, baseURL }) => {
  const attacker = await browser.newContext({ baseURL: baseURL ?? '' });
  await attacker.route(/googleapis/, (route) => route.abort());
  const attackers = await attacker.newPage();
  // The attacker keeps the answer to their own log-in, to have somebody else use it.
  const devtools = await attacker.newCDPSession(attackers);
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/auth/oidc/callback*' }] });
  const kept = new Promise<string>((resolve) => {
    devtools.on('Fetch.requestPaused', ({ requestId, request }) => {
      resolve(request.url);
      void devtools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    });
  });
  await attackers.goto('/console/');
  await signOn(attackers, 'bob').catch(() => undefined);
  const answer = await kept;
  await devtools.send('Fetch.disable');

  await page.goto(answer);
  await expect(page.getByRole('alert')).toContainText('begun in another browser');
  expect(await sessionOf(context), 'the victim is not logged in as the attacker').toBeUndefined();

  await attackers.goto(answer);
  await expect(attackers.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  const session = await sessionOf(attacker);
  await attackers.goto(answer);
  await expect(attackers).toHaveURL(/\/console\//);
  expect(await sessionOf(attacker), 'a second time changes nothing').toBe(session);
  await attacker.clearCookies({ name: SESSION });
  await attackers.goto(answer);
  await expect(attackers.getByRole('alert')).toContainText('begun in another browser');
  expect(await sessionOf(attacker)).toBeUndefined();
  await attacker.close();
});
