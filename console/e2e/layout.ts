import type { Page } from '@playwright/test';
import { expect } from './gate';

/** A phone, a small laptop with the navigation in a drawer, a usual screen. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** What a person would call broken: a page wider than the window, text that is cut, things on top of each other. */
export async function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const name = (element: Element) =>
      `<${element.tagName.toLowerCase()}${element.className && typeof element.className === 'string' ? ` class="${element.className.slice(0, 60)}"` : ''}> ${(element.textContent ?? '').trim().slice(0, 40)}`;
    const styles = new Map<Element, CSSStyleDeclaration>();
    const style = (element: Element) => {
      const known = styles.get(element) ?? getComputedStyle(element);
      styles.set(element, known);
      return known;
    };
    const ancestors = (element: Element) => {
      const found: Element[] = [];
      for (let each: Element | null = element; each !== null; each = each.parentElement) {
        found.push(each);
      }
      return found;
    };
    const open = document.querySelector('[role="dialog"]');
    const root = open ?? document.body;

    const wide = document.documentElement.scrollWidth - window.innerWidth;
    if (wide > 0) {
      const causes = [...document.querySelectorAll('body *')]
        .filter((each) => each.getBoundingClientRect().right > window.innerWidth + 1)
        .filter((each) => !ancestors(each).slice(1).some((above) => style(above).overflowX !== 'visible'));
      problems.push(`wider than the window by ${wide} px: ${causes.slice(-2).map(name).join(' and ')}`);
    }

    // Visible pieces of text, each with the box that it is seen in.
    interface Piece {
      element: Element;
      box: { top: number; bottom: number; left: number; right: number };
      text: string;
    }
    const pieces: Piece[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = (node.textContent ?? '').trim();
      if (element === null || text === '' || text.length > 4000) {
        continue;
      }
      if (['SCRIPT', 'STYLE', 'OPTION', 'TEXTAREA'].includes(element.tagName)) {
        continue;
      }
      const above = ancestors(element);
      // Also what is in a closed part, which has a place but is not drawn.
      const isHidden =
        !element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) ||
        above.some((each) => each.classList.contains('visually-hidden') || each.classList.contains('skip'));
      if (isHidden) {
        continue;
      }
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((each) => each.width > 0 && each.height > 0);
      if (boxes.length === 0) {
        continue;
      }
      // What scrolls or is shortened by dots is not cut; the nearest that clips decides.
      const whole = range.getBoundingClientRect();
      for (const each of above) {
        const { overflowX, overflowY, textOverflow, position } = style(each);
        const scrolls = /auto|scroll/.test(`${overflowX} ${overflowY}`);
        if (scrolls || textOverflow === 'ellipsis' || position === 'fixed') {
          break;
        }
        const area = each.getBoundingClientRect();
        if (overflowX !== 'visible' && (whole.right > area.right + 2 || whole.left < area.left - 2)) {
          problems.push(`cut at its side: "${text.slice(0, 50)}" in ${name(each)}`);
          break;
        }
        if (overflowY !== 'visible' && (whole.bottom > area.bottom + 3 || whole.top < area.top - 3)) {
          problems.push(`cut above or below: "${text.slice(0, 50)}" in ${name(each)}`);
          break;
        }
      }
      // What stays in place while the rest scrolls lies over it on purpose; what is scrolled away lies nowhere.
      const floats = above.some((each) => ['fixed', 'sticky'].includes(style(each).position));
      const clips = above.filter((each) => style(each).overflowX !== 'visible' || style(each).overflowY !== 'visible');
      const areas = clips.map((each) => each.getBoundingClientRect());
      const seen = boxes
        .map((box) => ({
          top: Math.max(box.top, ...areas.map((each) => each.top)),
          bottom: Math.min(box.bottom, ...areas.map((each) => each.bottom)),
          left: Math.max(box.left, ...areas.map((each) => each.left)),
          right: Math.min(box.right, ...areas.map((each) => each.right)),
        }))
        .filter((box) => box.bottom - box.top > 1 && box.right - box.left > 1);
      if (!floats && !above.some((each) => each.tagName === 'svg')) {
        seen.forEach((box) => pieces.push({ element, box, text }));
      }
    }
    pieces.sort((one, other) => one.box.top - other.box.top);
    for (let at = 0; at < pieces.length; at++) {
      const one = pieces[at]!;
      for (let next = at + 1; next < pieces.length && pieces[next]!.box.top < one.box.bottom; next++) {
        const other = pieces[next]!;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        // Lines of one paragraph touch; what is turned by a quarter has a box that says little.
        if (across > 3 && down > 5 && one.element !== other.element && !one.element.closest('.matrix-columns')) {
          problems.push(`on top of each other: "${one.text.slice(0, 40)}" and "${other.text.slice(0, 40)}"`);
        }
      }
    }

    // Buttons and fields that cannot be reached with a finger or are pushed out of the window.
    for (const control of root.querySelectorAll('button, a[href], input, select, textarea')) {
      const box = control.getBoundingClientRect();
      const scrolled = ancestors(control).some((each) => /auto|scroll/.test(style(each).overflowX));
      if (box.width > 0 && style(control).visibility !== 'hidden' && !scrolled && (box.right > window.innerWidth + 1 || box.left < -1)) {
        if (!control.classList.contains('skip') && !ancestors(control).some((each) => each.tagName === 'NAV' || each.classList.contains('visually-hidden'))) {
          problems.push(`outside the window: ${name(control)}`);
        }
      }
    }
    return [...new Set(problems)].slice(0, 8);
  });
}

/** Looks at the page in every size, and leaves pictures for people. */
export async function expectLayout(page: Page, name: string, theme: string): Promise<void> {
  const usual = page.viewportSize()!;
  const problems: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await expect(page.locator('main [role="status"][aria-label="Loading"]')).toHaveCount(0);
    problems.push(...(await layoutProblems(page)).map((each) => `${name} at ${size.width} px: ${each}`));
    const pictures = process.env['PICTURES'];
    if (pictures !== undefined) {
      await page.screenshot({ path: `${pictures}/${theme}/${name.replaceAll(/\W+/g, '-')}-${size.width}.jpg`, type: 'jpeg', quality: 80 });
    }
  }
  await page.setViewportSize(usual);
  expect.soft(problems).toEqual([]);
}
