import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { TextOperation } from '@sluice/canonical';
import type { DecodedRequest, ExchangeOptions, TextRequest } from '@sluice/protocols';
import type { Charge } from '../metering/charge.ts';
import { BodyMemory } from './body-memory.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import { carriesReasoning } from './reasoning/carries-reasoning.ts';
import type { RequestFiles } from './references/request-files.ts';
import { restoreReasoning } from './reasoning/restore-reasoning.ts';

/** In bytes. */
const LARGE_BODY = 1024 * 1024;

/** Shared by all attempts of a client request. No attempt may change it. */
export interface TextContext {
  request: TextRequest;
  bodyMemory: BodyMemory;
  operation: TextOperation;
  owner: string;
  strict: boolean;
  /** Files that the request refers to, if their references are replaced for each upstream. */
  files?: RequestFiles | undefined;
  /** The vendor's ids of files that the request refers to. */
  copyIds?: readonly string[];
  /** Decodes the request on the first call and caches the result. */
  decoded: () => Promise<DecodedRequest>;
  decode: (request: TextRequest) => Promise<DecodedRequest>;
  response: ExchangeOptions['response'];
  /** The client's body before its references were resolved. */
  sentBody?: (() => Record<string, unknown>) | undefined;
  /** Whether a translated response must be available in canonical format afterward. */
  keepsGeneration: boolean;
  headers: IncomingHttpHeaders;
  charge: Charge | undefined;
  signal: AbortSignal;
}

export interface TextContextOptions {
  request: TextRequest;
  files?: RequestFiles | undefined;
  strict: boolean;
  headers?: IncomingHttpHeaders;
  signal?: AbortSignal;
  responseId?: string | undefined;
  /** Unix seconds. By default, the current time. */
  createdAt?: number | undefined;
  framing?: 'sse' | 'json-array' | undefined;
  sentBody?: (() => Record<string, unknown>) | undefined;
  operation?: TextOperation | undefined;
  keepsGeneration?: boolean;
}

/** Creates what all attempts of a client request share. The request is decoded only if an attempt translates it. */
export function createTextContext(
  deps: Pick<GenerationDeps, 'now' | 'newId' | 'tokenCodec' | 'memory'>,
  call: TextCall,
  options: TextContextOptions,
): TextContext {
  const { request, strict, responseId, createdAt, framing, sentBody, operation = 'generate' } = options;
  const owner = call.apiKey.name;
  const seconds = () => Math.floor(deps.now() / 1_000);
  const decodeRequest = (sent: TextRequest) => decode(deps, sent, owner);
  let decoded: Promise<DecodedRequest> | undefined;
  return {
    request,
    bodyMemory: new BodyMemory(request.bytes),
    operation,
    owner,
    strict,
    headers: options.headers ?? call.request.headers,
    charge: call.request.charge,
    signal: options.signal ?? call.signal,
    // Stored for clients that do not send reasoning back.
    keepsGeneration: options.keepsGeneration === true || !carriesReasoning(request),
    sentBody,
    files: options.files,
    decoded: () => (decoded ??= decodeRequest(request)),
    decode: decodeRequest,
    response: {
      createdAt: createdAt ?? seconds(),
      now: seconds,
      newId: deps.newId,
      tokenCodec: deps.tokenCodec,
      responseId,
      framing,
    },
  };
}

async function decode(
  { tokenCodec, memory }: Pick<GenerationDeps, 'tokenCodec' | 'memory'>,
  request: TextRequest,
  owner: string,
): Promise<DecodedRequest> {
  const isLarge = request.bytes.length > LARGE_BODY;
  // Parsing and decoding 30 MB take 100 ms each, so other requests are served in between.
  if (isLarge) request.body();
  if (isLarge) await setImmediate();
  const decoded = request.decoded(tokenCodec);
  if (isLarge) await setImmediate();
  if (carriesReasoning(request)) return decoded;
  const generation = await restoreReasoning(decoded.generation, (callIds) => memory.recall(owner, callIds));
  return { ...decoded, generation };
}
