import { z } from 'zod';
import type { UsageKind } from './organization-kinds.ts';

const Amount = z.object({ value: z.number(), currency: z.literal('usd') });

/** @param name suffix of the ids of the schemas */
export function pageSchema({ path, result, groups, fieldsOf }: UsageKind, name: string) {
  const object = path === 'costs' ? 'organization.costs.result' : `organization.usage.${result}.result`;
  const fields = Object.entries(fieldsOf(NO_SUMS)).map(([field, value]) => [field, schemaOf(value)]);
  const Result = z
    .object({
      object: z.literal(object),
      ...Object.fromEntries(fields),
      ...Object.fromEntries(groups.map((group) => [group, z.string().nullable()])),
    })
    .meta({ id: `Organization${name}Result` });
  return z
    .object({
      object: z.literal('page'),
      data: z.array(
        z
          .object({
            object: z.literal('bucket'),
            start_time: z.int().describe('Unix seconds.'),
            end_time: z.int().describe('Unix seconds, exclusive.'),
            results: z.array(Result),
          })
          .meta({ id: `Organization${name}Bucket` }),
      ),
      has_more: z.boolean(),
      next_page: z.string().nullable(),
    })
    .meta({ id: `Organization${name}Page` });
}

function schemaOf(value: unknown): z.ZodType {
  if (value === null) return z.null();
  return typeof value === 'number' ? z.number() : Amount;
}

const NO_SUMS = {
  requests: 0,
  tasks: 0,
  errors: 0,
  unpriced: 0,
  costNanos: 0,
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  audioMs: 0,
  characters: 0,
  searches: 0,
  images: 0,
  videoMs: 0,
  durationMs: 0,
};
