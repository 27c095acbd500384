import { z } from 'zod';

const number = () => z.number({ error: 'must be a number' }).nullish();
const integer = () => z.int({ error: 'must be an integer' }).nullish();
const flag = () => z.boolean({ error: 'must be true or false' }).nullish();
const text = () => z.string({ error: 'must be a string' }).nullish();

/** Body of `POST /v1/completions`. A null field is treated as omitted. Other fields are accepted. */
export const CompletionsTopLevel = z
  .looseObject(
    {
      model: z
        .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
        .min(1, { error: 'must not be empty' }),
      // Token lists are accepted, because an upstream with a completions endpoint may support them.
      prompt: z
        .union([z.string(), z.array(z.unknown()).min(1)], {
          error: ({ input }) =>
            input === undefined ? 'is required' : 'must be a string or an array of at least one string',
        })
        .meta({ description: 'One text to continue, or several.' }),
      max_tokens: integer(),
      temperature: number(),
      top_p: number(),
      n: z.int({ error: 'must be an integer' }).min(1, { error: 'must be at least 1' }).nullish(),
      stream: flag(),
      stream_options: z.record(z.string(), z.unknown(), { error: 'must be an object' }).nullish(),
      stop: z.union([z.string(), z.array(z.string())], { error: 'must be a string or an array of strings' }).nullish(),
      suffix: text(),
      echo: flag().meta({ description: 'Whether the response begins with the prompt.' }),
      presence_penalty: number(),
      frequency_penalty: number(),
      logit_bias: z.record(z.string(), z.number(), { error: 'must be an object of numbers' }).nullish(),
      logprobs: integer(),
      best_of: integer(),
      seed: integer(),
      user: text(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateCompletion' });

export type CompletionBody = z.output<typeof CompletionsTopLevel>;

/** A complete response or one stream event. */
export const TextCompletionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('text_completion'),
    created: z.int().meta({ description: 'Unix seconds.' }),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        text: z.string(),
        index: z.int().meta({ description: 'Index of the prompt × `n` + index of its completion.' }),
        logprobs: z.record(z.string(), z.unknown()).nullish(),
        finish_reason: z.enum(['stop', 'length', 'content_filter']).nullable(),
      }),
    ),
    usage: z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }).nullish(),
  })
  .meta({ id: 'TextCompletion' });
