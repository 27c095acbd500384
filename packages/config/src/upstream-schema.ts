import { z } from 'zod';
import { QuirksSchema } from './quirks-schema.ts';

/** The kinds of upstream that serve text; each is named after the protocol that it speaks. */
export const TEXT_UPSTREAM_KINDS = ['chat-completions', 'responses', 'messages', 'generative-content'] as const;

/** What models can be asked for. */
export const MODEL_CAPABILITIES = [
  'text',
  'video',
  'image',
  'embedding',
  'rerank',
  'speech',
  'transcription',
  'moderation',
  'realtime',
] as const;

/** One of {@link MODEL_CAPABILITIES}. */
export type ModelCapability = (typeof MODEL_CAPABILITIES)[number];

/** What each kind of upstream can make. Each is a folder of `packages/upstreams`. */
const KIND_CAPABILITIES = {
  videos: ['video'],
  'chat-completions': ['text', 'image', 'embedding', 'speech', 'transcription', 'moderation', 'realtime'],
  responses: ['text'],
  messages: ['text'],
  'generative-content': ['text', 'image', 'embedding', 'speech', 'transcription'],
  'provider-a': ['video', 'image'],
  'provider-b': ['video', 'image'],
  dashscope: ['video', 'image'],
  ark: ['video'],
  minimax: ['video'],
  vidu: ['video'],
  veo: ['video'],
  runway: ['video', 'image'],
  fal: ['video', 'image'],
  replicate: ['video', 'image'],
  cohere: ['embedding', 'rerank'],
  jina: ['embedding', 'rerank'],
  tei: ['rerank'],
} as const satisfies Record<string, readonly ModelCapability[]>;

/** A word for `kind` in an upstream's configuration. */
export type UpstreamKindName = keyof typeof KIND_CAPABILITIES;

/** The kinds of upstream that can be configured. */
export const UPSTREAM_KINDS: readonly UpstreamKindName[] = Object.keys(KIND_CAPABILITIES) as UpstreamKindName[]; // its own keys

/** What a kind of upstream can make. */
export function capabilitiesOfKind(kind: UpstreamKindName): readonly ModelCapability[] {
  return KIND_CAPABILITIES[kind];
}

/** Tells whether a kind of upstream makes videos or images, so that workers serve it. */
export function isMediaKind(kind: UpstreamKindName): boolean {
  return capabilitiesOfKind(kind).some((capability) => capability === 'video' || capability === 'image');
}

/** Tells whether an upstream of a kind serves text. */
export function isTextKind(kind: string): boolean {
  return TEXT_UPSTREAM_KINDS.some((text) => text === kind);
}

/** The fields of an upstream that are its credential. */
export const CREDENTIAL_FIELDS = ['api_key', 'access_key', 'secret_key'] as const;
/** One of {@link CREDENTIAL_FIELDS}. */
export type CredentialField = (typeof CREDENTIAL_FIELDS)[number];

/** `max_submitting` of an account that sets none; less than the default of `tasks.concurrency`. */
export const DEFAULT_MAX_SUBMITTING = 16;

/** Headers that belong to the connection or to the body, not to whoever configures. */
const OWN_HEADERS = /^(?:host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|te|trailer)$/i;

const HeadersSchema = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is no name of a header')
      .refine((name) => !OWN_HEADERS.test(name), 'is a header that Sluice sets itself'),
    z.string().regex(/^[\t\x20-\x7E\x80-\xFF]*$/, 'may hold no line breaks and only Latin letters'),
  )
  .optional()
  .describe("Headers to send with every call of text, before the kind's own of the same name. Taken for secrets.");

/** An account at a vendor. */
export const UpstreamSchema = z.strictObject({
  kind: z.enum(UPSTREAM_KINDS).describe('The API that the upstream speaks.'),
  base_url: z
    .url({ protocol: /^https?$/ })
    .describe('Where the API begins; for which kinds its version part belongs to it stands below.'),
  api_key: z.string().min(1).optional().describe('Credential of upstreams that take one key.'),
  access_key: z.string().min(1).optional().describe('First half of the credential of upstreams that take a pair.'),
  secret_key: z.string().min(1).optional().describe('Second half of the credential of upstreams that take a pair.'),
  headers: HeadersSchema,
  quirks: QuirksSchema.optional().describe('How its models differ from the protocol; the fields stand below.'),
  completions: z
    .boolean()
    .default(false)
    .describe('Whether an upstream of kind `chat-completions` has the older `/completions` too.'),
  region: z
    .string()
    .min(1)
    .optional()
    .describe('Region that calls of kind `provider-b` are signed for. Absent: `cn-north-1`.'),
  max_in_flight: z
    .int()
    .min(1)
    .optional()
    .describe('Videos and images that may run at this account at once; more wait their turn. Absent: no cap.'),
  max_submitting: z
    .int()
    .min(1)
    .default(DEFAULT_MAX_SUBMITTING)
    .describe('Submissions under way at this account at once, over all workers. Less than `tasks.concurrency`.'),
});
