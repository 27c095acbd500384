import { z } from 'zod';

/** An object with exactly one of these members, as AWS encodes unions. */
function union<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .strictObject(shape)
    .partial()
    .refine((value) => Object.values(value).filter((one) => one !== undefined).length === 1, 'must set one member');
}

const Source = union({
  bytes: z.base64(),
  s3Location: z.strictObject({ uri: z.string(), bucketOwner: z.string().optional() }),
});
const CachePoint = z.strictObject({ type: z.literal('default'), ttl: z.enum(['5m', '1h']).optional() });
const Image = z.strictObject({ format: z.enum(['png', 'jpeg', 'gif', 'webp']), source: Source });
const DOCUMENTS = ['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'] as const;
const Document = z.strictObject({
  format: z.enum(DOCUMENTS).optional(),
  name: z
    .string()
    .min(1)
    .max(200)
    .regex(/^(?!.* {2})[A-Za-z0-9 \-()[\]]+$/, 'name contains an invalid character'),
  source: union({
    bytes: z.base64(),
    text: z.string(),
    s3Location: z.strictObject({ uri: z.string(), bucketOwner: z.string().optional() }),
    content: z.array(z.strictObject({ text: z.string() })),
  }),
  context: z.string().optional(),
  citations: z.strictObject({ enabled: z.boolean() }).optional(),
});
const VIDEOS = ['mkv', 'mov', 'mp4', 'webm', 'flv', 'mpeg', 'mpg', 'wmv', 'three_gp'] as const;
const Video = z.strictObject({ format: z.enum(VIDEOS), source: Source });
const AUDIOS = [
  'aac',
  'flac',
  'm4a',
  'mka',
  'mkv',
  'mp3',
  'mp4',
  'mpeg',
  'mpga',
  'ogg',
  'opus',
  'pcm',
  'wav',
  'webm',
  'x-aac',
] as const;
const Audio = z.strictObject({ format: z.enum(AUDIOS), source: Source });
const ToolUseId = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const ToolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const ToolResultPart = union({
  text: z.string(),
  json: z.unknown(),
  image: Image,
  document: Document,
  video: Video,
});

const Block = union({
  text: z.string(),
  image: Image,
  document: Document,
  video: Video,
  audio: Audio,
  toolUse: z.strictObject({ toolUseId: ToolUseId, name: ToolName, input: z.unknown(), type: z.string().optional() }),
  toolResult: z.strictObject({
    toolUseId: ToolUseId,
    content: z.array(ToolResultPart),
    status: z.enum(['success', 'error']).optional(),
    type: z.string().optional(),
  }),
  reasoningContent: union({
    reasoningText: z.strictObject({ text: z.string(), signature: z.string().optional() }),
    redactedContent: z.base64(),
  }),
  cachePoint: CachePoint,
});

export type ConverseBlock = z.output<typeof Block>;

const Message = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(Block).min(1) });

export type ConverseMessage = z.output<typeof Message>;

const Tool = union({
  toolSpec: z.strictObject({
    name: ToolName,
    description: z.string().min(1).optional(),
    inputSchema: z.strictObject({ json: z.looseObject({ type: z.literal('object') }) }),
    strict: z.boolean().optional(),
  }),
  cachePoint: CachePoint,
});
const ToolConfig = z.strictObject({
  tools: z.array(Tool).min(1),
  toolChoice: union({
    auto: z.strictObject({}),
    any: z.strictObject({}),
    tool: z.strictObject({ name: ToolName }),
  }).optional(),
});
const METADATA = /^[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}$/;

const counted = {
  messages: z.array(Message).optional(),
  system: z.array(union({ text: z.string().min(1), cachePoint: CachePoint })).optional(),
  toolConfig: ToolConfig.optional(),
  additionalModelRequestFields: z.looseObject({}).optional(),
};

/** Checks single fields (@aws-sdk/client-bedrock-runtime, `ConverseRequest`). */
export const ConverseRequestSchema = z.strictObject({
  ...counted,
  inferenceConfig: z
    .strictObject({
      maxTokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(1).optional(),
      topP: z.number().min(0).max(1).optional(),
      stopSequences: z.array(z.string().regex(/\S/, 'must contain a visible character')).max(2500).optional(),
    })
    .optional(),
  additionalModelResponseFieldPaths: z.array(z.string().startsWith('/')).max(10).optional(),
  outputConfig: z
    .strictObject({
      textFormat: z
        .strictObject({
          type: z.literal('json_schema'),
          structure: z.strictObject({
            jsonSchema: z.strictObject({
              schema: z.string(),
              name: z.string().optional(),
              description: z.string().optional(),
            }),
          }),
        })
        .optional(),
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
    })
    .optional(),
  requestMetadata: z.record(z.string().regex(METADATA), z.string().regex(METADATA)).optional(),
  serviceTier: z.strictObject({ type: z.enum(['default', 'flex', 'priority', 'reserved']) }).optional(),
  performanceConfig: z.strictObject({ latency: z.enum(['standard', 'optimized']) }).optional(),
  guardrailConfig: z.looseObject({}).optional(),
});

export type ConverseRequest = z.output<typeof ConverseRequestSchema>;

export const CountTokensSchema = z.strictObject({ input: z.strictObject({ converse: z.strictObject(counted) }) });
