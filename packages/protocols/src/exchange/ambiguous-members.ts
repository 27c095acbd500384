import { GatewayError } from '@sluice/canonical';
import { LIMIT_OBJECTS, TOKEN_LIMITS } from '../text/bounds-in-body.ts';
import { jsonMembers } from './json-members.ts';
import type { TextRequest } from './text-request.ts';

/** Fields that select the model or limit the generated tokens, at vendors and in other gateways. */
const CHECKED = new Map(
  [
    'model',
    'models',
    'fallbacks',
    'fallback_model',
    'fallback_models',
    'tools',
    'input',
    ...LIMIT_OBJECTS,
    'generation_config',
    ...TOKEN_LIMITS,
    'n',
    'best_of',
    'candidate_count',
  ].map((name) => [fold(name), name]),
);

/** Google's JSON also accepts these names in camel case. */
const CAMEL_CASE = new Set(['generationConfig', 'maxOutputTokens', 'candidateCount']);

/** Keys that replace an object's prototype if an upstream written in JavaScript merges it. */
const PROTOTYPES = new Set(['__proto__', 'constructor', 'prototype']);

/** Objects whose nested fields also affect the key's limits. */
const OBJECTS = [...LIMIT_OBJECTS, 'generationConfig', 'generation_config'];

const PLAIN = /^[a-z][a-z_]*$/;

/**
 * Rejects names that an upstream could read as a checked name. For example, Go ignores case (`MODEL`), C libraries end
 * a name at `\u0000`, and other parsers drop invalid characters.
 * @throws GatewayError `unsupported_parameter`, or `invalid_request` for a name that appears twice
 */
export function refuseAmbiguousMembers({ members, skeleton }: Pick<TextRequest, 'members' | 'skeleton'>): void {
  refuseAmbiguousNames([...members.keys()].map(textOf));
  for (const name of OBJECTS) {
    const position = members.get(name);
    const nested = position && jsonMembers(skeleton.text, position.start, (key) => refuseRepeat(key, name));
    if (nested) refuseAmbiguousNames([...nested.keys()].map(textOf), name);
  }
}

/** @param path path of the object; empty for the body. @throws GatewayError `unsupported_parameter` */
export function refuseAmbiguousNames(names: readonly string[], path = ''): void {
  for (const name of names) {
    if (PROTOTYPES.has(name)) throw ambiguous(name, path, 'may replace other fields');
    if (PLAIN.test(name) || CAMEL_CASE.has(name)) continue;
    const read = CHECKED.get(fold(name));
    if (read !== undefined) throw ambiguous(name, path, `may be read as \`${read}\``);
  }
}

/** Normalizes a name as the most lenient upstream would read it. */
function fold(name: string): string {
  const end = name.indexOf('\0');
  const read = end > 0 ? name.slice(0, end) : name;
  return read
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Decodes a name from the skeleton, which has one character per byte unless the name is escaped. */
function textOf(name: string): string {
  return name.replaceAll(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}

function ambiguous(name: string, path: string, why: string): GatewayError {
  const param = paramOf(name, path);
  const what = `\`${param}\` ${why}, and limits of this API key depend on it. Send the documented name only.`;
  return new GatewayError('unsupported_parameter', what, { param });
}

function refuseRepeat(key: string, path: string): never {
  const param = paramOf(key, path);
  throw new GatewayError('invalid_request', `\`${param}\` appears twice. Send it once.`, { param });
}

/** Makes a name safe to print, because it can have any length and contain control characters. */
function paramOf(name: string, path: string): string {
  const shown = JSON.stringify(name.slice(0, 80)).slice(1, -1);
  return path === '' ? shown : `${path}[${shown}]`;
}
