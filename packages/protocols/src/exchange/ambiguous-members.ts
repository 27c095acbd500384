import { GatewayError } from '@sluice/canonical';
import { jsonMembers } from './json-members.ts';
import type { TextRequest } from './text-request.ts';

/** Fields that decide which model runs, and how many tokens it may generate, at vendors and other gateways. */
const CHECKED = new Map(
  [
    'model',
    'models',
    'fallbacks',
    'fallback_model',
    'fallback_models',
    'tools',
    'input',
    'extra_body',
    'options',
    'reasoning',
    'generation_config',
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'max_new_tokens',
    'max_tokens_to_sample',
    'num_predict',
    'n',
    'best_of',
    'candidate_count',
  ].map((name) => [fold(name), name]),
);

/** Google's JSON accepts each name in camel case, too. */
const CAMEL_CASE = new Set(['generationConfig', 'maxOutputTokens', 'candidateCount']);

/** Upstreams in JavaScript that merge an object with these names replace its prototype. */
const PROTOTYPES = new Set(['__proto__', 'constructor', 'prototype']);

/** Objects with fields of their own that the limits of a key depend on. */
const OBJECTS = ['extra_body', 'options', 'reasoning', 'generationConfig', 'generation_config'];

const PLAIN = /^[a-z][a-z_]*$/;

/**
 * Rejects names that an upstream may read as a checked one: Go folds case (`MODEL`), libraries in C end a name at
 * `\u0000`, and others drop invalid characters.
 * @throws GatewayError `unsupported_parameter`; `invalid_request` for a name that appears twice
 */
export function refuseAmbiguousMembers({ members, skeleton }: Pick<TextRequest, 'members' | 'skeleton'>): void {
  refuseAmbiguousNames([...members.keys()].map(textOf));
  for (const name of OBJECTS) {
    const position = members.get(name);
    const nested = position && jsonMembers(skeleton.text, position.start, (key) => refuseRepeat(key, name));
    if (nested) refuseAmbiguousNames([...nested.keys()].map(textOf), name);
  }
}

/** @param path of the object; empty for the body. @throws GatewayError `unsupported_parameter` */
export function refuseAmbiguousNames(names: readonly string[], path = ''): void {
  for (const name of names) {
    if (PROTOTYPES.has(name)) throw ambiguous(name, path, 'may replace other fields');
    if (PLAIN.test(name) || CAMEL_CASE.has(name)) continue;
    const read = CHECKED.get(fold(name));
    if (read !== undefined) throw ambiguous(name, path, `may be read as \`${read}\``);
  }
}

/** The name as the most lenient upstream reads it. */
function fold(name: string): string {
  const end = name.indexOf('\0');
  const read = end > 0 ? name.slice(0, end) : name;
  return read
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** A name of the skeleton has one character for each byte, unless it is escaped. */
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
  throw new GatewayError('invalid_request', `\`${param}\` appears twice in the body. Send it once.`, { param });
}

/** The name may have any length and contain control characters. */
function paramOf(name: string, path: string): string {
  const shown = JSON.stringify(name.slice(0, 80)).slice(1, -1);
  return path === '' ? shown : `${path}[${shown}]`;
}
