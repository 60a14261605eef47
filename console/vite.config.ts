import react from '@vitejs/plugin-react';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const OUT = 'target/classes/console';

/**
 * Begins the file of the first page with a comment that makes Chromium compile all of it beside the main thread, and not
 * each function when it is first called. On the disk, since the comment must be the first line. Fails if the page needs
 * another file.
 */
function compiledAtOnce(): Plugin {
  return {
    name: 'compiled-at-once',
    apply: 'build',
    enforce: 'post',
    closeBundle() {
      const preloaded = readFileSync(join(OUT, 'index.html'), 'utf8').match(/(?<="modulepreload"[^>]*\/assets\/)[^"]+/g) ?? [];
      const others = preloaded.filter((each) => !/^(first|rolldown-runtime)-/.test(each));
      if (others.length > 0) {
        this.error(`The first page also loads ${others.join(', ')}: name what it imports in FIRST, or import that later.`);
      }
      for (const name of preloaded.filter((each) => each.startsWith('first-'))) {
        const file = join(OUT, 'assets', name);
        writeFileSync(file, `//# allFunctionsCalledOnLoad\n${readFileSync(file, 'utf8')}`);
      }
    },
  };
}

/** Writes a gzip and a brotli version beside every file of the build, so that the server compresses nothing. */
function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    enforce: 'post',
    // From the disk, since other plugins change the files until they are written.
    closeBundle() {
      const folder = join(OUT, 'assets');
      for (const name of readdirSync(folder).filter((each) => /\.(js|css|svg)$/.test(each))) {
        const file = join(folder, name);
        const bytes = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
      }
    },
  };
}

/** The modules that the overview needs are one file; libraries that half of the other pages use besides are another. */
const FIRST = [
  /node_modules\/(clsx|react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@tanstack\/[^/]+|@mantine\/store)\//,
  /node_modules\/@mantine\/core\/esm\/core\//,
  /node_modules\/@mantine\/hooks\/esm\/(utils\/clamp|use-(isomorphic-effect|color-scheme|media-query|hotkeys|document-title))/,
  /node_modules\/@mantine\/spotlight\/esm\/spotlight\.store/,
  /src\/(api\/(audit|client|errors|live|queries|usage)|strings|pages\/(overview\/.*|changes\/ChangeLine|usage\/sums))\.tsx?$/,
  /src\/app\/(?!Aside|KeyboardHelp|LoginAgain|Search)\w+\.tsx?$/,
  /src\/ui\/(Icon|PageHeader|States|time|Untrusted|plot\/intervals)\.tsx?$/,
  /vite\/preload-helper/,
];

/**
 * Fails if a script uses a class of a Mantine component whose style src/ui/mantine.css does not import. A built script
 * contains the classes of exactly those components that it uses.
 */
function styled(): Plugin {
  const STYLES = 'node_modules/@mantine/core/styles';
  const classes = (text: string) => new Set(text.match(/\bm_[0-9a-f]+\b/g));
  const text = (folder: string, ending: string) =>
    readdirSync(folder)
      .filter((each) => each.endsWith(ending))
      .map((each) => readFileSync(join(folder, each), 'utf8'))
      .join('\n');
  return {
    name: 'styled',
    apply: 'build',
    closeBundle() {
      const used = classes(text(join(OUT, 'assets'), '.js'));
      const defined = classes(text(join(OUT, 'assets'), '.css'));
      const missing = readdirSync(STYLES)
        .filter((each) => each.endsWith('.css') && !each.endsWith('.layer.css'))
        .filter((each) =>
          [...classes(readFileSync(join(STYLES, each), 'utf8'))].some((name) => used.has(name) && !defined.has(name)),
        );
      if (missing.length > 0) {
        this.error(`src/ui/mantine.css must also import ${missing.join(', ')} of ${STYLES}, in the order of styles.css.`);
      }
    },
  };
}

export default defineConfig({
  base: '/console/',
  plugins: [react(), styled(), compiledAtOnce(), precompressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // Browsers that have web locks, :has() and nesting: all of 2024 and newer.
    target: 'es2023',
    assetsInlineLimit: 0, // a data: address would need a wider policy
    modulePreload: { polyfill: false }, // an inline script, which the policy refuses
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Few files, since on a slow processor each costs more than its bytes.
          groups: [
            { name: 'first', test: (id) => FIRST.some((each) => each.test(id)) },
            { name: 'components', test: /node_modules/, minShareCount: 10 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': 'http://localhost:8001',
      '/health': 'http://localhost:8001',
      '/ws': { target: 'http://localhost:8001', ws: true },
    },
  },
});
