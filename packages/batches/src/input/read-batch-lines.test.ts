import { describe, expect, it } from 'vitest';
import { chunked, lineOf } from '../../test/batch-rig.ts';
import type { InputRules } from './check-line.ts';
import { CustomIds } from './custom-ids.ts';
import { InvalidBatchInput, readBatchLines } from './read-batch-lines.ts';
import { SegmentBuilder } from './segments.ts';

const RULES: InputRules = {
  endpoint: '/v1/chat/completions',
  protocol: 'openai',
  limits: { maxLines: 1_000, maxLineBytes: 4_096 },
};

async function* bytesOf(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

async function read(source: AsyncIterable<Uint8Array>, rules: Partial<InputRules> = {}) {
  const lines = [];
  for await (const line of readBatchLines(source, { ...RULES, ...rules })) lines.push(line);
  return lines;
}

async function errorsOf(source: AsyncIterable<Uint8Array>, rules: Partial<InputRules> = {}) {
  try {
    await read(source, rules);
  } catch (error) {
    if (error instanceof InvalidBatchInput) return error.errors;
    throw error;
  }
  return [];
}

const good = lineOf('a');
const body = { model: 'small', messages: [] };

const INVALID: [what: string, input: (string | Uint8Array)[], line: number | undefined, code: string, part: string][] =
  [
    ['an empty file', [], undefined, 'empty_file', 'is empty'],
    ['a byte-order mark', ['\ufeff', good], 1, 'byte_order_mark', 'byte-order mark'],
    ['an empty line', [good, '\n', lineOf('b')], 2, 'empty_line', 'Line 2: The line is empty'],
    ['a blank line at the end', [good, '  \t'], 2, 'empty_line', 'Line 2'],
    ['text that is not JSON', [good, lineOf('b'), '{"custom_id":\n'], 3, 'invalid_json_line', 'Line 3: '],
    ['two objects in one line', [good.trim(), good], 1, 'invalid_json_line', 'not valid JSON'],
    ['an array', ['[]\n'], 1, 'invalid_json_line', 'The line must be a JSON object'],
    ['UTF-8 that is cut off', [good, Buffer.from('{"custom_id":"é"}').subarray(0, -3)], 2, 'invalid_utf8', 'UTF-8'],
    ['no custom_id', [lineOf('a', { custom_id: undefined })], 1, 'invalid_custom_id', '`custom_id` must be a string'],
    ['an empty custom_id', [lineOf('')], 1, 'invalid_custom_id', '`custom_id` must not be empty'],
    ['a long custom_id', [lineOf('x'.repeat(513))], 1, 'invalid_custom_id', 'at most 512'],
    ['another method', [lineOf('a', { method: 'GET' })], 1, 'invalid_method', '`method` must be `POST`'],
    ['no url', [lineOf('a', { url: 1 })], 1, 'invalid_url', '`url` must be the endpoint'],
    [
      'another endpoint',
      [good, lineOf('b', { url: '/v1/responses' })],
      2,
      'mismatched_endpoint',
      '/v1/chat/completions',
    ],
    ['no body', [lineOf('a', { body: undefined })], 1, 'invalid_body', '`body` must be a JSON object'],
    ['another model', [good, lineOf('b', { body: { model: 'large' } })], 2, 'mismatched_model', '`small` in line 1'],
    ['a stream', [lineOf('a', { body: { ...body, stream: true } })], 1, 'invalid_body', '`body.stream`'],
    ['a background request', [lineOf('a', { body: { ...body, background: true } })], 1, 'invalid_body', 'background'],
    ['deep nesting', [`{"body":${'['.repeat(1_500)}${']'.repeat(1_500)}}`], 1, 'invalid_json_line', 'nested'],
    ['a line that is too long', [good, lineOf('b'.repeat(4_100))], 2, 'line_too_long', 'exceeds 4,096 bytes'],
  ];

describe('readBatchLines', () => {
  it('yields lines with their byte ranges, whatever the chunks are', async () => {
    const text = `${lineOf('é')}${good.trim()}\r\n${lineOf('last').trim()}`;
    const bytes = Buffer.from(text);
    const single = bytesOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)));
    for (const source of [chunked(text), bytesOf(text), single]) {
      const lines = await read(source);
      expect(lines.map(({ number, line }) => [number, line.custom_id])).toEqual([
        [1, 'é'],
        [2, 'a'],
        [3, 'last'],
      ]);
      const ranges = lines.map(({ start, end }) => JSON.parse(bytes.subarray(start, end).toString()) as unknown);
      expect(ranges).toEqual(lines.map(({ line }) => line));
      expect(lines.at(-1)?.end).toBe(bytes.length);
    }
  });

  it('accepts other members of lines, and several models in formats that allow them', async () => {
    const input = [lineOf('a', { metadata: 1 }), lineOf('b', { body: { model: 'large' } })];
    expect((await read(bytesOf(...input), { protocol: 'anthropic' })).length).toBe(2);
  });

  it.each(INVALID)('rejects %s', async (_what, input, line, code, part) => {
    const [error, ...more] = await errorsOf(bytesOf(...input));
    expect(more).toEqual([]);
    expect(error).toMatchObject({ code, message: expect.stringContaining(part), ...(line && { line }) });
    expect(error && 'line' in error).toBe(line !== undefined);
  });

  it('rejects more lines than allowed', async () => {
    const limits = { ...RULES.limits, maxLines: 2 };
    const [error] = await errorsOf(bytesOf(good, lineOf('b'), lineOf('c')), { limits });
    expect(error).toMatchObject({ code: 'too_many_lines', line: 3 });
  });

  it('reports several errors, but no more than a maximum', async () => {
    const errors = await errorsOf(bytesOf('x\n', good, 'y\n'));
    expect(errors.map(({ line }) => line)).toEqual([1, 3]);
    expect((await errorsOf(bytesOf('x\n'.repeat(1_000)))).length).toBe(50);
  });

  it('does not buffer a line of 101 MB', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    async function* long(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(good);
      for (let count = 0; count < 101; count += 1) yield chunk;
      yield Buffer.from(`\n${lineOf('b')}`);
    }
    const before = process.memoryUsage.rss();
    expect(await errorsOf(long())).toMatchObject([{ code: 'line_too_long', line: 2 }]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(60 * 1024 * 1024);
  });
});

const duplicatesOf = async (ids: string[]) => {
  const known = new CustomIds();
  for (const id of ids) known.add(id);
  const lines = () => readBatchLines(bytesOf(...ids.map((id) => lineOf(id))), RULES);
  return (await known.duplicates(lines)).map(({ message }) => message);
};

async function* sameIds() {
  for (const number of [1_000, 1_000_001]) {
    yield {
      number,
      line: { custom_id: 'request-999', method: 'POST' as const, url: '', body: {} },
      start: 0,
      end: 0,
    };
  }
}

describe('CustomIds', () => {
  it('names both lines of a duplicate', async () => {
    expect(await duplicatesOf(['a', 'b', 'c', 'b', 'a'])).toEqual([
      'Line 4: The `custom_id` is the same as in line 2. Each line needs its own.',
      'Line 5: The `custom_id` is the same as in line 1. Each line needs its own.',
    ]);
    expect(await duplicatesOf(Array.from({ length: 900 }, (_, at) => `id-${at}`))).toEqual([]);
  });

  it('finds the duplicate among 1,000,000 ids in bounded memory', async () => {
    const ids = new CustomIds();
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 0; at < 1_000_000; at += 1) ids.add(`request-${at}`);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024);
    ids.add('request-999');
    expect((await ids.duplicates(sameIds)).map(({ line }) => line)).toEqual([1_000_001]);
  });
});

describe('SegmentBuilder', () => {
  it('ends a segment at 250 lines or 1 MiB', () => {
    const builder = new SegmentBuilder();
    const line = { custom_id: '', method: 'POST' as const, url: '', body: {} };
    const sizes = [...Array.from({ length: 260 }, () => 100), 2_000_000, 10];
    let offset = 0;
    const segments = sizes.flatMap((size, at) => {
      const start = offset;
      offset += size;
      return builder.add({ number: at + 1, line, start, end: offset }) ?? [];
    });
    expect([...segments, builder.last()]).toEqual([
      { start: 0, end: 25_000, first: 1, lines: 250 },
      { start: 25_000, end: 2_026_000, first: 251, lines: 11 },
      { start: 2_026_000, end: 2_026_010, first: 262, lines: 1 },
    ]);
  });
});
