import { z } from 'zod';
import { tagged } from '../../schema/tagged.ts';

export const Name = z
  .string()
  .min(1)
  .regex(/^[a-zA-Z0-9_-]+$/)
  .max(64);

export const Breakpoint = z.looseObject({ mode: z.string() }).nullish();

const IMAGE_URL = /^(?:https?:\/\/|data:image\/[a-z.+-]+;base64,[A-Za-z0-9+/]+=*$)/;
export const ImageUrl = z.string().refine((url) => IMAGE_URL.test(url), {
  message:
    "Expected a valid URL, or a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=').",
});

export const Refusal = tagged('refusal', { refusal: z.string() });
export const Grammar = z.looseObject({ type: z.enum(['text', 'grammar']) }).optional();
export const ToolMode = z.enum(['none', 'auto', 'required']);
export const Effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish();
export const Verbosity = z.enum(['low', 'medium', 'high']).nullish();
export const CacheRetention = z.enum(['in_memory', 'in-memory', '24h']).nullish();
export const SERVICE_TIERS = ['auto', 'default', 'flex', 'scale', 'priority', 'fast'] as const;

export const commonFields = {
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  moderation: z.looseObject({}).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
};
