import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import type { GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { type OpenAI, toFile } from 'openai';
import { expect, vi } from 'vitest';

/** Batches run in a second or two. A busy machine may need much longer. */
const WAIT = { timeout: 90_000, interval: 100 };
const OPEN = ['validating', 'in_progress', 'finalizing'];

/** Waits until a value is not one of `open`. Unlike `expect.poll`, it can be used in concurrent tests. */
export function ended(read: () => Promise<unknown>, open: readonly unknown[]): Promise<void> {
  return vi.waitFor(async () => expect(open).not.toContain(await read()), WAIT);
}

export type Endpoint = OpenAI.BatchCreateParams['endpoint'];

/** A line of an output file or of an error file. */
export interface LineResult {
  custom_id: string;
  response: LineResponse;
}

export interface LineResponse {
  status_code: number;
  body: unknown;
}

/** Creates a batch with the OpenAI SDK. The `custom_id` of a line is its index. */
export async function createBatch(openai: OpenAI, endpoint: Endpoint, bodies: readonly object[]): Promise<string> {
  const lines = bodies.map((body, at) => JSON.stringify({ custom_id: `${at}`, method: 'POST', url: endpoint, body }));
  const content = await toFile(Buffer.from(lines.join('\n')), 'lines.jsonl');
  const { id } = await openai.files.create({ file: content, purpose: 'batch' });
  return (await openai.batches.create({ input_file_id: id, endpoint, completion_window: '24h' })).id;
}

/** Polls a batch until it has ended. @throws unless it is `completed` */
export async function completed(openai: OpenAI, id: string): Promise<OpenAI.Batch> {
  await ended(async () => (await openai.batches.retrieve(id)).status, OPEN);
  const batch = await openai.batches.retrieve(id);
  expect(batch.status, JSON.stringify(batch.errors)).toBe('completed');
  return batch;
}

/** Downloads both files of a batch with the OpenAI SDK. Returns their lines in the order of the input. */
export async function resultsOf(openai: OpenAI, batch: OpenAI.Batch): Promise<LineResult[]> {
  const ids = [batch.output_file_id, batch.error_file_id].filter((id) => id !== undefined && id !== null);
  const texts = await Promise.all(ids.map(async (id) => (await openai.files.content(id)).text()));
  // The cast is safe because the files have this format, which the tests compare with direct calls.
  const results = texts.flatMap((text) => linesOf(text) as LineResult[]);
  return results.toSorted((a, b) => Number(a.custom_id) - Number(b.custom_id));
}

function linesOf(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

export function textOf({ candidates }: Pick<GenerateContentResponse, 'candidates'>): string | undefined {
  return candidates?.[0]?.content?.parts?.[0]?.text;
}

/** Reads the results of a batch with each SDK: the text of each response, or `error`. */
export const READERS = {
  openai: async ({ openai }: Sdks, batch: OpenAI.Batch) => {
    const results = await resultsOf(openai, batch);
    return results.map(({ response }) => {
      const { choices } = response.body as Partial<OpenAI.ChatCompletion>; // The cast is safe: errors have no choices.
      return choices?.[0]?.message.content ?? 'error';
    });
  },
  anthropic: async ({ anthropic }: Sdks, { id }: Pick<OpenAI.Batch, 'id'>) => {
    const texts: string[] = [];
    for await (const { result } of await anthropic.messages.batches.results(id)) {
      const [block] = result.type === 'succeeded' ? result.message.content : [];
      texts.push(block?.type === 'text' ? block.text : 'error');
    }
    return texts;
  },
  google: async ({ google, dir }: Sdks, { id }: OpenAI.Batch) => {
    const { dest } = await google.batches.get({ name: `batches/${id.slice('batch_'.length)}` });
    const downloadPath = path.join(dir, id);
    await google.files.download({ file: dest?.fileName ?? '', downloadPath });
    const lines = linesOf(await readFile(downloadPath, 'utf8')) as { response?: GenerateContentResponse }[];
    return lines.map(({ response }) => (response ? textOf(response) : 'error'));
  },
};

export interface Sdks {
  openai: OpenAI;
  anthropic: Anthropic;
  google: GoogleGenAI;
  /** Folder for downloads. */
  dir: string;
}
