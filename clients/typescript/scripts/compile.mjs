import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Compiles the package in a folder twice, as ES modules and as CommonJS, each with types and a `package.json` that says which it is. */
export function compile(root) {
  rmSync(new URL('dist/', root), { recursive: true, force: true });
  const compiler = createRequire(new URL('package.json', root)).resolve('typescript/bin/tsc');
  for (const [format, configuration, type] of [['esm', 'tsconfig.json', 'module'], ['cjs', 'tsconfig.cjs.json', 'commonjs']]) {
    const { status } = spawnSync(process.execPath, [compiler, '--project', configuration], {
      cwd: fileURLToPath(root),
      stdio: 'inherit',
    });
    if (status !== 0) {
      process.exit(1);
    }
    writeFileSync(new URL(`dist/${format}/package.json`, root), `{ "type": "${type}" }\n`);
  }
}
