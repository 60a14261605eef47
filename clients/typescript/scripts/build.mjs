// Builds dist/: the types of the wire from the OpenAPI document, then the package as ESM and as CommonJS.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { compile } from './compile.mjs';

const root = new URL('..', import.meta.url);
const project = new URL('../../', root);
const document = new URL('docs/api/openapi.yaml', project);

/**
 * A string enum also takes other strings, because a newer server may send values that this version does not know. A single value
 * tells an event apart from others, and stays alone.
 */
function openEnum(schema) {
  if (!Array.isArray(schema.enum) || schema.enum.length < 2 || !schema.enum.every((value) => typeof value === 'string')) {
    return undefined;
  }
  const known = schema.enum.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
  const other = ts.factory.createIntersectionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeLiteralNode([]),
  ]);
  return ts.factory.createUnionTypeNode([...known, other]);
}

const types = await openapiTypeScript(document, { transform: openEnum, emptyObjectsUnknown: true, silent: true });
const schemas = types.filter((node) => node.name?.text === 'components');
if (schemas.length !== 1) {
  throw new Error(`${fileURLToPath(document)} has no schemas`);
}
mkdirSync(new URL('src/generated/', root), { recursive: true });
writeFileSync(new URL('src/generated/openapi.ts', root), astToString(schemas));

compile(root);
copyFileSync(new URL('LICENSE', project), new URL('LICENSE', root));
