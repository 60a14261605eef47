import type { Page } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from './gate';

/** Pictures larger than this make the README slow to read. */
const MAX_BYTES = 150_000;
const KEY = process.env['SHOWCASE_KEY'] ?? '';
const PLACE = process.env['PUBLISHED_PICTURES'] ?? process.env['PICTURES'];

test.use({ baseURL: process.env['SHOWCASE_URL'] ?? '', viewport: { width: 1440, height: 880 }, deviceScaleFactor: 1.25 });

/** What the browser shows, as WebP, which the browser itself can write. */
async function picture(page: Page): Promise<Buffer> {
  const shown = (await page.screenshot()).toString('base64');
  const blank = await page.context().newPage();
  const written = await blank.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.82).replace(/^data:image\/webp;base64,/, '');
  }, shown);
  await blank.close();
  return Buffer.from(written, 'base64');
}

for (const scheme of ['light', 'dark'] as const) {
  test(`pictures of a gate at work are small, in the ${scheme} theme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    expect((await page.request.post('/api/v1/console/session', { data: { key: KEY } })).status()).toBe(200);
    const take = async (name: string) => {
      await expect(page.locator('main [role="status"][aria-label="Loading"]')).toHaveCount(0);
      const webp = await picture(page);
      expect(webp.length, name).toBeLessThan(MAX_BYTES);
      if (PLACE !== undefined) {
        mkdirSync(PLACE, { recursive: true });
        writeFileSync(`${PLACE}/${name}-${scheme}.webp`, webp);
      }
    };
    await page.goto('/console/access');
    const grid = page.getByRole('grid', { name: 'Agents and tools' });
    await expect(grid).toHaveAttribute('aria-rowcount', '15');
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await take('matrix');

    await page.goto('/console/approvals');
    await page.locator('.row-button').filter({ hasText: 'release-notes' }).click();
    await expect(page.locator('.difference .added').first()).toBeVisible();
    await take('approval');

    await page.goto('/console/activity?since=24h');
    await expect(page.getByRole('img', { name: /records in this period/ })).toBeVisible();
    await expect(page.locator('.histogram canvas')).toBeVisible();
    await expect(page.locator('a.record').first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^Refused \d/ })).toBeVisible();
    await take('activity');
  });
}
