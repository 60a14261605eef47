import { test as base, expect, request, type APIRequestContext, type Page } from '@playwright/test';
import axe from 'axe-core';

/** Keys of the test's server by role; those of the tenant acme are its own. */
export const KEYS = JSON.parse(process.env['KEYS'] ?? '{}') as Record<string, string>;

/** What a page must never do; every test ends with nothing in it. */
const broken: string[] = [];

/** Watches the pages of the gate; those of an identity provider, which people go to themselves, are its own matter. */
function watch(page: Page, origin: string, provider: string): void {
  const isOurs = () => !page.url().startsWith(provider);
  page.on('request', (sent) => {
    const address = sent.url();
    const toProvider = sent.isNavigationRequest() && address.startsWith(provider);
    if (!address.startsWith(origin) && !address.startsWith('data:') && !address.startsWith('blob:') && !toProvider && isOurs()) {
      broken.push(`A request left the origin: ${address}`);
    }
  });
  page.on('dialog', (dialog) => {
    broken.push(`A script opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => broken.push(`The page failed: ${error.message}`));
  page.on('console', (line) => {
    if (line.text().includes('Content Security Policy') && isOurs()) {
      broken.push(line.text());
    }
  });
}

export const test = base.extend<{ gate: Gate; provider: string }>({
  /** The address of the identity provider that people log in at; none by default. */
  provider: ['none', { option: true }],
  context: async ({ context, baseURL, provider }, use) => {
    broken.length = 0;
    await context.exposeBinding('reportViolation', ({ page }, what: string) => {
      if (!page.url().startsWith(provider)) {
        broken.push(`The policy was violated: ${what}`);
      }
    });
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        void (window as unknown as { reportViolation: (what: string) => void }).reportViolation(
          `${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
        );
      });
    });
    context.on('page', (page) => watch(page, baseURL ?? '', provider));
    await use(context);
    expect(broken).toEqual([]);
  },
  gate: async ({ baseURL }, use) => {
    const gate = await Gate.as('admin', baseURL ?? '');
    await use(gate);
    await gate.api.dispose();
  },
});

export { expect };

let number = 0;

/** The API, with a key. */
export class Gate {
  private constructor(
    readonly api: APIRequestContext,
    readonly url: string,
  ) {}

  static async as(role: string, url: string): Promise<Gate> {
    return new Gate(
      await request.newContext({ baseURL: url, extraHTTPHeaders: { Authorization: `Bearer ${KEYS[role]}` } }),
      url,
    );
  }

  async agent(id: string, permissions: Record<string, unknown>[]): Promise<void> {
    const made = await this.api.post('/api/v1/agents', { data: { agent_id: id } });
    expect([200, 201, 409]).toContain(made.status());
    if (permissions.length > 0) {
      const granted = await this.api.post('/api/v1/permissions/bulk', {
        data: { changes: permissions.map((each) => ({ agent_id: id, ...each })), reason: 'for a test' },
      });
      expect(granted.status()).toBe(200);
    }
  }

  async call(agent: string, tool: string, parameters: Record<string, unknown>): Promise<string> {
    const id = `console-${Date.now()}-${number++}`;
    await this.api.post('/api/v1/tools/execute', {
      headers: { Prefer: 'respond-async' },
      data: { request_id: id, agent_id: agent, tool_name: tool, operation: 'run', parameters },
    });
    return id;
  }

  /** A call that waits for an answer; the id of its request for approval. */
  async held(agent: string, tool: string, parameters: Record<string, unknown>): Promise<string> {
    await this.agent(agent, [{ tool_name: tool, allowed: true, requires_approval: true }]);
    const request = await this.call(agent, tool, parameters);
    const pending = (await (await this.api.get(`/api/v1/approvals?state=pending&limit=500`)).json()) as {
      approval_id: string;
      request_id: string;
    }[];
    const found = pending.find((each) => each.request_id === request);
    expect(found, 'the call is held').toBeDefined();
    return found!.approval_id;
  }

  async approval(id: string): Promise<{ state: string; answered_by: string | null }> {
    return (await (await this.api.get(`/api/v1/approvals/${id}`)).json()) as never;
  }
}

/** Logs the browser in, without the form. */
export async function logIn(page: Page, role: string): Promise<void> {
  const answered = await page.request.post('/api/v1/console/session', { data: { key: KEYS[role] } });
  expect(answered.status()).toBe(200);
}

/** Nothing that axe finds, in the page as it is. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const found = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return found.violations.map(
      (each) =>
        `${each.id}: ${each.nodes
          .slice(0, 4)
          .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 220) ?? ''}`)
          .join(' | ')}`,
    );
  });
  expect(violations).toEqual([]);
}
