import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  workers: 1, // the other tests of the build run beside this
  timeout: 120_000, // against hanging only: the machine may be busy
  expect: { timeout: 15_000 },
  reporter: [['json', { outputFile: process.env['REPORT'] ?? 'report.json' }]],
  use: {
    baseURL: process.env['TOOLGATE_URL'] ?? 'http://127.0.0.1:8001',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-US',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      // The tests may run as root, and open only pages of the test's own server.
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    },
  },
});
