import { expect, it } from 'vitest';
import { z } from 'zod';
import { deepestIssue, valueAt } from './deepest-issue.ts';

const Schema = z.strictObject({
  content: z.union([z.string(), z.array(z.strictObject({ text: z.string() }))]),
});

it('picks the issue of the intended branch', () => {
  const body = { content: [{ text: 1 }] };
  const [first] = Schema.safeParse(body).error?.issues ?? [];
  const deepest = first && deepestIssue(first);
  expect(deepest?.path).toEqual(['content', 0, 'text']);
  expect(valueAt(body, deepest?.path ?? [])).toBe(1);
});

it('counts an unknown key as one level deeper', () => {
  const Either = z.union([z.strictObject({ a: z.string() }), z.strictObject({ type: z.literal('b') })]);
  const [first] = Either.safeParse({ a: 'x', c: 1 }).error?.issues ?? [];
  expect(first && deepestIssue(first).issue).toMatchObject({ code: 'unrecognized_keys', keys: ['c'] });
});
