import { z } from 'zod';

const anObject = { error: 'must be an object' };
const aText = { error: 'must be a string' };
const texts = z.array(z.string(aText), { error: 'must be an array of strings' }).nullish();
const objectOrNone = z.looseObject({}, anObject).nullish();
const objectsOrNone = z
  .union([z.array(z.looseObject({}, anObject)), z.looseObject({})], { error: 'must be an array of objects' })
  .nullish();

const GenerationConfigSchema = z
  .looseObject({ responseModalities: texts, response_modalities: texts }, anObject)
  .nullish()
  .meta({ description: 'How to respond: temperature, maxOutputTokens, responseModalities, thinkingConfig …' });

const InstructionSchema = z
  .union([z.string(), z.looseObject({}), z.array(z.looseObject({}))], { error: 'must be a content' })
  .nullish();

const ContentsSchema = z
  .array(z.looseObject({}, anObject), {
    error: ({ input }) =>
      input === undefined || input === null
        ? 'is required and must contain at least one content'
        : 'must be an array of objects',
  })
  .min(1, { error: 'must contain at least one content' })
  .meta({ description: 'The conversation so far.', example: [{ role: 'user', parts: [{ text: 'Hello' }] }] });

/** All fields except `contents`, in the documented camel case and in snake case. Null is treated as omitted. */
const optional = {
  generationConfig: GenerationConfigSchema,
  generation_config: GenerationConfigSchema,
  systemInstruction: InstructionSchema,
  system_instruction: InstructionSchema,
  tools: objectsOrNone,
  toolConfig: objectOrNone,
  tool_config: objectOrNone,
  safetySettings: objectsOrNone,
  safety_settings: objectsOrNone,
  cachedContent: z.string(aText).nullish(),
  cached_content: z.string(aText).nullish(),
  labels: objectOrNone,
  serviceTier: z.string(aText).nullish(),
  service_tier: z.string(aText).nullish(),
  store: z.boolean({ error: 'must be true or false' }).nullish(),
  continuationToken: z.string(aText).nullish(),
  continuation_token: z.string(aText).nullish(),
};

/** Body of `POST …:generateContent`. Other keys are accepted. */
export const GenerateContentSchema = z
  .looseObject({ contents: ContentsSchema, ...optional }, { error: 'body must be a JSON object' })
  .meta({ id: 'GenerateContent' });

/** Body of `POST …:countTokens`: either `contents` or a complete request. */
export const CountTokensSchema = z
  .looseObject(
    { contents: ContentsSchema.nullish(), generateContentRequest: GenerateContentSchema.nullish() },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CountTokens' });

export const TokenCountSchema = z.object({ totalTokens: z.int() }).meta({ id: 'TokenCount' });

export const GenerateContentResponseSchema = z
  .object({
    candidates: z
      .array(
        z.object({
          index: z.int().optional(),
          content: z.object({ role: z.literal('model'), parts: z.array(z.looseObject({})) }).optional(),
          finishReason: z.string().optional(),
          finishMessage: z.string().optional(),
        }),
      )
      .optional(),
    usageMetadata: z
      .looseObject({ promptTokenCount: z.int(), candidatesTokenCount: z.int(), totalTokenCount: z.int() })
      .optional(),
    modelVersion: z.string().optional(),
    responseId: z.string().optional(),
  })
  .meta({ id: 'GenerateContentResponse' });

export const ErrorSchema = z
  .object({
    error: z.object({
      code: z.int(),
      message: z.string(),
      status: z.string(),
      details: z.array(z.looseObject({ '@type': z.string() })).optional(),
    }),
  })
  .meta({ id: 'GenerativeContentError' });
