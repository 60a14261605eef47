import react from '@vitejs/plugin-react';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const OUT = 'target/classes/console';

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

export default defineConfig({
  base: '/console/',
  plugins: [react(), precompressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // Browsers that have web locks, :has() and nesting: all of 2024 and newer.
    target: 'es2023',
    assetsInlineLimit: 0, // a data: address would need a wider policy
    modulePreload: { polyfill: false }, // an inline script, which the policy refuses
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '/api': 'http://localhost:8001',
      '/health': 'http://localhost:8001',
      '/ws': { target: 'http://localhost:8001', ws: true },
    },
  },
});
