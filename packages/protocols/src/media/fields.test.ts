import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  AspectRatioSchema,
  boundedText,
  decimalNumber,
  FlagSchema,
  FpsSchema,
  MetadataSchema,
  ModelSchema,
  promptText,
  ResolutionSchema,
  SecondsSchema,
  SeedSchema,
  SideSchema,
  SizeSchema,
  integer,
} from './fields.ts';

const accepted: [string, z.ZodType, [value: unknown, read: unknown][]][] = [
  [
    'seconds',
    SecondsSchema,
    [
      ['4', '4'],
      [4, '4'],
      ['04', '4'],
      [2.5, '2.5'],
      ['2.50', '2.5'],
      [3600, '3600'],
    ],
  ],
  ['size', SizeSchema, [['1280x720', '1280x720']]],
  [
    'a side',
    SideSchema,
    [
      [720, 720],
      ['720', 720],
    ],
  ],
  [
    'aspect_ratio',
    AspectRatioSchema,
    [
      ['16:9', '16:9'],
      ['1:1', '1:1'],
    ],
  ],
  [
    'resolution',
    ResolutionSchema,
    [
      ['720P', '720p'],
      ['4K', '4k'],
      ['2k', '2k'],
      ['1080p', '1080p'],
    ],
  ],
  [
    'fps',
    FpsSchema,
    [
      [24, 24],
      ['24', 24],
    ],
  ],
  [
    'seed',
    SeedSchema,
    [
      [0, 0],
      ['42', 42],
      [-1, undefined],
      ['-1', undefined],
      [2 ** 53 - 1, 2 ** 53 - 1],
    ],
  ],
  [
    'a flag',
    FlagSchema,
    [
      [true, true],
      [false, false],
      ['true', true],
      ['False', false],
    ],
  ],
  [
    'a number',
    decimalNumber(0, 1),
    [
      [0.5, 0.5],
      ['0.5', 0.5],
      [1, 1],
    ],
  ],
  [
    'an integer',
    integer(1, 10),
    [
      [1, 1],
      ['10', 10],
    ],
  ],
  [
    'a text',
    boundedText(3),
    [
      ['abc', 'abc'],
      ['', ''],
      ['\ud800', '\ufffd'],
    ],
  ],
  ['a prompt', promptText(), [['a\ud800b', 'a\ufffdb']]],
  ['a model', ModelSchema, [['film', 'film']]],
  ['metadata', MetadataSchema, [[{ a: 1 }, { a: 1 }]]],
];
const refused: [string, z.ZodType, unknown[]][] = [
  [
    'seconds',
    SecondsSchema,
    [0, -1, '0', '-4', '4s', ' 4', 'NaN', 'Infinity', '1e3', 1e-7, 0.1 + 0.2, 3601, 1e21, true, [4], { n: 4 }],
  ],
  ['size', SizeSchema, ['1280', '1280X720', '1280*720', '0x720', '-1x5', '1280x720p', 'auto', 720, ['1280x720']]],
  ['a side', SideSchema, [9, 100_000, '7.5', 'x', true]],
  ['aspect_ratio', AspectRatioSchema, ['16x9', '0:1', '16:', 'wide', 1.7, '16:9 ']],
  ['resolution', ResolutionSchema, ['720', '3k', 'high', 720, 'p', '99p']],
  ['fps', FpsSchema, [0, 241, 29.97, '24fps', true]],
  ['seed', SeedSchema, [-2, 1.5, 'x', 2 ** 53, '99999999999999999', true]],
  ['a flag', FlagSchema, ['yes', 1, 0, 'on', {}]],
  ['a number', decimalNumber(0, 1), [-0.1, 1.1, 'half', '1e-1', true, Number.NaN]],
  ['an integer', integer(1, 10), [0, 11, '1.0', '+1', ' 1', '', Infinity, [1]]],
  ['a text', boundedText(3), ['abcd', 5, {}]],
  ['a prompt', promptText(), ['', '  \n', 'x'.repeat(32_769), 5, undefined]],
  ['a model', ModelSchema, ['x'.repeat(257), 5, '', ' ', undefined]],
  ['metadata', MetadataSchema, ['text', [1], 5]],
];

describe.each(accepted)('%s', (_name, schema, cases) => {
  it.each(cases)('reads %j as %j', (value, read) => {
    expect(schema.parse(value)).toEqual(read);
  });
});

describe.each(refused)('%s', (_name, schema, cases) => {
  it.each(cases.map((value) => [value]))('rejects %j with the rule', (value) => {
    const { success, error } = schema.safeParse(value);
    expect(success).toBe(false);
    expect(error?.issues[0]?.message).toMatch(/^(must|is required)/);
  });
});

it('reads seconds as a positive decimal in any accepted notation', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.integer(), fc.string()), (value) => {
      const { data } = SecondsSchema.safeParse(value);
      if (data !== undefined) expect(data).toMatch(/^(?!0$)\d{1,4}(\.\d{1,3})?$/);
    }),
  );
});
