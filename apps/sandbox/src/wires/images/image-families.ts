/**
 * Sources: openai 7.55.0, `ImageGenerateParams` and `ImageEditParams`. Unknown model names simulate resellers of this
 * API, which accept the fields of all families.
 */
import { z } from 'zod';
import { freeSizeProblem, readSize } from './image-size.ts';

export interface ImageFamily {
  body: z.ZodType<ImageFields>;
  /** If not set, images are returned as URLs unless the client requests base64. */
  base64Only?: true;
  revises?: true;
  /** Maximum input images of an edit. If omitted, the model does not support edits. */
  maxImages?: number;
  /** Whether an edit requires a square PNG below 4 MB, as with the first edit model. */
  squarePng?: true;
}

export interface ImageFields {
  prompt: string;
  n: number;
  size: string;
  quality?: string | undefined;
  background?: string | undefined;
  output_compression?: number | undefined;
  response_format?: 'url' | 'b64_json' | undefined;
  stream?: boolean | undefined;
  partial_images?: number | undefined;
}

const Size = z.string().superRefine((size, context) => {
  const message = 'Expected WIDTHxHEIGHT or auto.';
  if (readSize(size) === undefined) context.addIssue({ code: 'custom', message });
});
const FreeSize = z.string().superRefine((size, context) => {
  const message = freeSizeProblem(size);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const count = (max: number) => z.int().min(1).max(max).default(1);
const prompt = (max: number) => z.string().min(1).max(max);
const anyModel = { model: z.string().optional(), user: z.string().optional() };
const delivery = { response_format: z.enum(['url', 'b64_json']).optional() };

const gptFields = {
  ...anyModel,
  prompt: prompt(32_000),
  n: count(10),
  background: z.enum(['transparent', 'opaque', 'auto']).optional(),
  complexity: z.enum(['low', 'medium', 'high']).optional(),
  input_fidelity: z.enum(['high', 'low']).optional(),
  moderation: z.enum(['low', 'auto']).optional(),
  output_compression: z.int().min(0).max(100).optional(),
  // The sandbox renders only PNG.
  output_format: z.enum(['png']).optional(),
  partial_images: z.int().min(0).max(3).optional(),
  quality: z.enum(['low', 'medium', 'high', 'auto']).optional(),
  safety_identifier: z.string().max(128).optional(),
  size: z.enum(['1024x1024', '1024x1536', '1536x1024', 'auto']).default('auto'),
  stream: z.boolean().optional(),
};

const newQuality = { quality: z.enum(['low', 'medium', 'high', 'xhigh', 'max', 'auto']).optional() };
const gpt = { base64Only: true, maxImages: 16 } as const;

const FAMILIES: readonly [name: RegExp, family: ImageFamily][] = [
  [
    /^dall-e-2$/,
    {
      body: z.strictObject({
        ...anyModel,
        ...delivery,
        prompt: prompt(1000),
        n: count(10),
        quality: z.enum(['standard']).optional(),
        size: z.enum(['256x256', '512x512', '1024x1024']).default('1024x1024'),
      }),
      maxImages: 1,
      squarePng: true,
    },
  ],
  [
    /^dall-e-3$/,
    {
      body: z.strictObject({
        ...anyModel,
        ...delivery,
        prompt: prompt(4000),
        n: count(1),
        quality: z.enum(['standard', 'hd']).optional(),
        size: z.enum(['1024x1024', '1792x1024', '1024x1792']).default('1024x1024'),
        style: z.enum(['vivid', 'natural']).optional(),
      }),
      revises: true,
    },
  ],
  [/^gpt-image-2(?!\.)/, { ...gpt, body: z.strictObject({ ...gptFields, size: FreeSize.default('auto') }) }],
  [
    /^gpt-image-(2\.|[3-9])/,
    { ...gpt, body: z.strictObject({ ...gptFields, ...newQuality, size: FreeSize.default('auto') }) },
  ],
  [/^(gpt-image-|chatgpt-image)/, { ...gpt, body: z.strictObject(gptFields) }],
];

const RESELLER: ImageFamily = {
  body: z.looseObject({
    ...gptFields,
    ...delivery,
    quality: z.enum(['low', 'medium', 'high', 'xhigh', 'max', 'auto', 'standard', 'hd']).optional(),
    size: Size.default('1024x1024'),
    style: z.string().optional(),
  }),
  maxImages: 16,
};

export function familyOf(model: string): ImageFamily {
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? RESELLER;
}
