// Builds dist/: the package as ESM and as CommonJS. The client is built before.
import { copyFileSync } from 'node:fs';
import { compile } from '../../../clients/typescript/scripts/compile.mjs';

const root = new URL('..', import.meta.url);
compile(root);
copyFileSync(new URL('../../LICENSE', root), new URL('LICENSE', root));
