import type { IncomingHttpHeaders } from 'node:http';
import type { GenerationRequest, Loss, TextOperation } from '@sluice/canonical';
import type { ExchangeOptions, TextRequest } from '@sluice/protocols';
import type { Charge } from '../metering/charge.ts';
import { deepFrozen } from './deep-frozen.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { restoreReasoning } from './reasoning/restore-reasoning.ts';

interface DecodedRequest {
  generation: GenerationRequest;
  /** Fields of the client's protocol that the canonical form does not support. */
  losses: readonly Loss[];
}

/** The state that all attempts of a client request share; none may change it. */
export interface TextContext {
  request: TextRequest;
  /** The operation for an upstream of the same protocol. */
  operation: TextOperation;
  /** Name of the API key, the owner of everything stored. */
  owner: string;
  /** Whether losses are rejected instead of reported. */
  strict: boolean;
  /** Decodes the request, once, when first called. */
  decoded: () => Promise<DecodedRequest>;
  response: ExchangeOptions['response'];
  /** The body as the client sent it, if references in the request's were resolved since. */
  sentBody?: (() => Record<string, unknown>) | undefined;
  /** Whether a translated response is needed in canonical form afterwards. */
  keep: boolean;
  headers: IncomingHttpHeaders;
  charge: Charge | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface TextContextOptions {
  request: TextRequest;
  strict: boolean;
  /** Default: the client's. */
  headers?: IncomingHttpHeaders;
  /** Default: the client's. */
  signal?: AbortSignal;
  responseId?: string | undefined;
  framing?: 'sse' | 'json-array' | undefined;
  sentBody?: (() => Record<string, unknown>) | undefined;
  /** Default `generate`. */
  operation?: TextOperation | undefined;
  keep?: boolean;
}

/** Creates the context of one request to the upstreams on behalf of a client's call. */
export function createTextContext(
  deps: Pick<GenerationDeps, 'now' | 'newId' | 'tokenCodec' | 'memory'>,
  call: TextCall,
  options: TextContextOptions,
): TextContext {
  const { request, strict, responseId, framing, sentBody, operation = 'generate', keep = false } = options;
  const owner = call.apiKey.name;
  const seconds = () => Math.floor(deps.now() / 1_000);
  let decoded: Promise<DecodedRequest> | undefined;
  return {
    request,
    operation,
    owner,
    strict,
    headers: options.headers ?? call.request.headers,
    charge: call.request.charge,
    signal: options.signal ?? call.signal,
    // Chat clients do not carry reasoning, so it is remembered for them.
    keep: keep || request.protocol.name === 'chat-completions',
    sentBody,
    decoded: () => (decoded ??= decode(deps, request, owner)),
    response: {
      createdAt: seconds(),
      now: seconds,
      newId: deps.newId,
      tokenCodec: deps.tokenCodec,
      ...(responseId !== undefined && { responseId }),
      ...(framing && { framing }),
    },
  };
}

async function decode(
  { tokenCodec, memory }: Pick<GenerationDeps, 'tokenCodec' | 'memory'>,
  request: TextRequest,
  owner: string,
): Promise<DecodedRequest> {
  const losses: Loss[] = [];
  const { protocol, model, stream } = request;
  const report = (loss: Loss): void => void losses.push(loss);
  const decoded = protocol.decodeRequest({ body: request.body(), model, stream, tokenCodec, report });
  const generation =
    protocol.name === 'chat-completions'
      ? await restoreReasoning(decoded, (callIds) => memory.recall(owner, callIds))
      : decoded;
  return deepFrozen({ generation, losses });
}
