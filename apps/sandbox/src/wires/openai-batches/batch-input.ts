import { z } from 'zod';
import { isObject, parseJson } from '../../schema/json.ts';

export const ENDPOINTS = [
  '/v1/responses',
  '/v1/chat/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/images/generations',
  '/v1/videos',
] as const;

/** The maximum number of lines (openai 7.55.0, `BatchCreateParams.input_file_id`). */
const MAX_LINES = 50_000;
/** A failed batch reports only its first errors. */
const MAX_ERRORS = 100;

const LineSchema = z.object({
  custom_id: z.string().min(1),
  method: z.literal('POST'),
  url: z.string(),
  body: z.record(z.string(), z.unknown()),
});

export type InputLine = z.output<typeof LineSchema>;

export interface InputError {
  code: string;
  message: string;
  line: number | null;
  param: string | null;
}

/** Azure also accepts the URLs of its lines without the version. */
export function versioned(url: string): string {
  return url.startsWith('/v1/') ? url : `/v1${url}`;
}

export function readLine(text: string): InputLine | undefined {
  return LineSchema.safeParse(parseJson(text)).data;
}

/**
 * Checks all lines of a batch, in constant memory except for the ids of the lines. The codes are those of Azure's page
 * "Batch error codes".
 */
export async function checkInput(lines: AsyncIterable<{ number: number; text: string }>, endpoint: string) {
  const errors: InputError[] = [];
  const ids = new Set<string>();
  let total = 0;
  let model: unknown;

  function report(code: string, message: string, line: number | null, param: string | null = null): void {
    if (errors.length < MAX_ERRORS) errors.push({ code, message, line, param });
  }

  function check(text: string, number: number): void {
    const value = parseJson(text);
    if (!isObject(value)) return report('invalid_json_line', 'This line is not parseable as valid JSON.', number);
    const read = LineSchema.safeParse(value);
    if (!read.success) {
      const param = String(read.error.issues[0]?.path[0] ?? '');
      return report('invalid_request', `Missing or invalid parameter: '${param}'.`, number, param);
    }
    const { custom_id: id, url, body } = read.data;
    if (versioned(url) !== endpoint) {
      report('url_mismatch', 'The URL provided for this request does not match the batch endpoint.', number, 'url');
    }
    if (ids.has(id)) {
      report('duplicate_custom_id', 'The custom_id of this request is a duplicate of another.', number, 'custom_id');
    }
    ids.add(id);
    model ??= body['model'];
    if (body['model'] !== model) {
      report('model_mismatch', 'The provided data refers to more than one model.', number, 'body.model');
    }
  }

  for await (const { number, text } of lines) {
    total += 1;
    if (total <= MAX_LINES) check(text, number);
  }
  if (total === 0) report('empty_batch', 'The input file is empty.', null);
  if (total > MAX_LINES) {
    report('too_many_tasks', `The batch input file contains more than the maximum of ${MAX_LINES} requests.`, null);
  }
  return { total, errors, model: typeof model === 'string' ? model : undefined };
}
