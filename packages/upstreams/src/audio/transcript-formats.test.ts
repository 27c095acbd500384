import { expect, it } from 'vitest';
import { formatsOf, formatToRequest } from './transcript-formats.ts';

it.each([
  ['whisper-1', 'vtt', 'vtt'],
  ['whisper-large-v3', 'verbose_json', 'verbose_json'],
  ['gpt-4o-transcribe', 'text', 'text'],
  ['gpt-4o-transcribe-diarize', 'diarized_json', 'diarized_json'],
  ['voxtral', 'diarized_json', 'diarized_json'],
  ['voxtral', 'srt', 'srt'],
] as const)('requests %s as %s for %s', (model, requested, expected) => {
  expect(formatToRequest(requested, formatsOf(model))).toBe(expected);
});

it.each([
  ['gpt-4o-mini-transcribe', 'srt'],
  ['gpt-4o-transcribe', 'verbose_json'],
  ['gpt-4o-transcribe-diarize', 'vtt'],
  ['whisper-1', 'diarized_json'],
] as const)('refuses %s for %s, which writes neither it nor a format it can be converted from', (model, requested) => {
  expect(() => formatToRequest(requested, formatsOf(model))).toThrow(
    expect.objectContaining({ param: 'response_format' }),
  );
});

it.each([
  ['json', 'json'],
  ['text', 'json'],
  ['srt', 'verbose_json'],
  ['vtt', 'verbose_json'],
  ['verbose_json', 'verbose_json'],
] as const)('converts %s from %s for models that write JSON only', (requested, expected) => {
  expect(formatToRequest(requested, ['json', 'verbose_json'])).toBe(expected);
});

it.each([
  [['json', 'verbose_json'] as const, 'diarized_json', 'json, text, srt, verbose_json, or vtt'],
  [['json'] as const, 'vtt', 'json or text'],
  [['text'] as const, 'vtt', 'text'],
] as const)('%j: lists all available formats when %s is refused', (formats, requested, list) => {
  expect(() => formatToRequest(requested, formats)).toThrow(
    `This model does not support the response format \`${requested}\`. Use ${list}.`,
  );
});
