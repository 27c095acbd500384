import type { MediaRequest, TextProtocolName, Usage } from '@sluice/canonical';
import type { ModelCapability } from '@sluice/config';
import { boundsInBody, imagesProtocol, textProtocolOf, videosProtocol } from '@sluice/protocols';
import { estimateBodyTokens } from './estimate-body-tokens.ts';

export type LineBody = Readonly<Record<string, unknown>>;

/** The use of requests to an endpoint. */
export interface LineKind {
  capability: ModelCapability;
  /** The ability that an unsuitable model lacks, e.g. `generate text`. */
  purpose: string;
  /** The operator's default model, if the endpoint has one. */
  defaultModel?: 'video' | 'image' | 'moderation';
  /** Returns the maximum usage. @param outputTokens the maximum if the request has none */
  usageOf?: (body: LineBody, outputTokens: number) => Usage;
  /** Decodes a request that creates a task, which is charged by its images or seconds. @throws GatewayError */
  mediaOf?: (body: LineBody) => MediaRequest;
}

export function lineKindOf(endpoint: string): LineKind {
  const protocol = textProtocolOf(endpoint);
  const kind = protocol === undefined ? KINDS[endpoint] : textKind(protocol);
  if (!kind) throw new Error(`no requests of batches have the endpoint ${endpoint}`);
  return kind;
}

function textKind(protocol: TextProtocolName): LineKind {
  return {
    capability: 'text',
    purpose: 'generate text',
    usageOf(body, outputTokens) {
      const {
        maxOutputTokens = outputTokens,
        otherMaxTokens = 0,
        choices,
      } = boundsInBody(protocol, (name) => body[name]);
      const inputTokens = estimateBodyTokens(body);
      return { inputTokens, outputTokens: Math.max(maxOutputTokens, otherMaxTokens) * choices };
    },
  };
}

const KINDS: Readonly<Record<string, LineKind | undefined>> = {
  '/v1/completions': {
    capability: 'text',
    purpose: 'generate text',
    usageOf({ prompt, max_tokens: max, n, best_of: best }, outputTokens) {
      const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
      const responses = prompts * Math.max(countOf(n) ?? 1, countOf(best) ?? 1);
      return { inputTokens: estimateBodyTokens(prompt), outputTokens: responses * (countOf(max) ?? outputTokens) };
    },
  },
  '/v1/embeddings': {
    capability: 'embedding',
    purpose: 'generate embeddings',
    usageOf: ({ input }) => ({ inputTokens: estimateBodyTokens(input), outputTokens: 0 }),
  },
  '/v1/moderations': { capability: 'moderation', purpose: 'classify content', defaultModel: 'moderation' },
  '/v1/images/generations': {
    capability: 'image',
    purpose: 'generate images',
    defaultModel: 'image',
    mediaOf: (fields) => ({
      delivery: 'url',
      ...imagesProtocol.decodeImage({ fields, files: [] }).request,
      images: [],
    }),
  },
  '/v1/videos': {
    capability: 'video',
    purpose: 'generate videos',
    defaultModel: 'video',
    mediaOf: (fields) => ({ ...videosProtocol.decodeVideo({ fields, files: [] }).request, images: [] }),
  },
};

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
