import { isUtf8 } from 'node:buffer';
import type { BatchInputError, BatchLine, BatchProtocol } from '@sluice/canonical';
import { z } from 'zod';
import type { RawLine } from './split-lines.ts';

export interface InputRules {
  /** The `url` of every line. */
  endpoint: string;
  protocol: BatchProtocol;
  limits: { maxLines: number; maxLineBytes: number };
}

const MAX_CUSTOM_ID = 512;
/** The API accepts bodies of 100 levels. */
const MAX_DEPTH = 101;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const object = z.looseObject({}, { error: 'must be a JSON object' });
const LineSchema = z.looseObject(
  {
    custom_id: z
      .string({ error: 'must be a string that is unique in the file' })
      .min(1, { error: 'must not be empty' })
      .max(MAX_CUSTOM_ID, { error: `must have at most ${MAX_CUSTOM_ID} characters` }),
    method: z.literal('POST', { error: 'must be `POST`' }),
    url: z.string({ error: 'must be the endpoint of the batch' }),
    body: object,
  },
  { error: 'must be a JSON object' },
);

/** OpenAI's codes of errors in input files, by the field. */
const CODES: Readonly<Record<string, string>> = {
  custom_id: 'invalid_custom_id',
  method: 'invalid_method',
  url: 'invalid_url',
  body: 'invalid_body',
};

export type CheckedLine = { line: BatchLine; error?: undefined } | { error: BatchInputError };

/** Parses a line of an input file. It does not compare the line with others. */
export function checkLine({ number, bytes }: RawLine, rules: InputRules): CheckedLine {
  const invalid = (code: string, problem: string, param?: string): CheckedLine => ({
    error: { code, message: `Line ${number}: ${problem}`, line: number, ...(param !== undefined && { param }) },
  });
  const { maxLineBytes } = rules.limits;
  if (!bytes) {
    return invalid('line_too_long', `The line exceeds ${maxLineBytes.toLocaleString('en-US')} bytes. Shorten it.`);
  }
  if (number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) {
    return invalid('byte_order_mark', 'The file starts with a byte-order mark. Save it as UTF-8 without one.');
  }
  if (isBlank(bytes)) return invalid('empty_line', 'The line is empty. Remove it.');
  if (!isUtf8(bytes)) return invalid('invalid_utf8', 'The line is not valid UTF-8. It may be cut off.');
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString());
  } catch {
    return invalid('invalid_json_line', 'The line is not valid JSON. Each line must be one JSON object.');
  }
  if (isDeeper(json, MAX_DEPTH)) {
    return invalid('invalid_json_line', `The line is nested more than ${MAX_DEPTH} levels deep. Flatten it.`);
  }
  const parsed = LineSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path[0] === undefined ? undefined : String(issue.path[0]);
    const code = CODES[field ?? ''] ?? 'invalid_json_line';
    return invalid(code, `${field === undefined ? 'The line' : `\`${field}\``} ${issue?.message}.`, field);
  }
  const line = parsed.data;
  if (line.url !== rules.endpoint) {
    return invalid('mismatched_endpoint', `\`url\` must be the endpoint of the batch, \`${rules.endpoint}\`.`, 'url');
  }
  for (const field of ['stream', 'background']) {
    if (line.body[field] === true) {
      return invalid('invalid_body', `\`body.${field}\` is not supported in batches. Remove it.`, `body.${field}`);
    }
  }
  return { line };
}

function isDeeper(json: unknown, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return levels === 0 || Object.values(json).some((value) => isDeeper(value, levels - 1));
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}

/** Returns the model that a line requests, in its body or, in Google's format, in its path. Undefined if none. */
export function modelOf({ url, body: { model } }: Pick<BatchLine, 'url' | 'body'>): string | undefined {
  return typeof model === 'string' ? model : /\/models\/(.+):/.exec(url)?.[1];
}
