import type { IncomingHttpHeaders } from 'node:http';
import type { GenerationRequest, Loss, TextOperation } from '@sluice/canonical';
import type { ExchangeOptions, TextRequest } from '@sluice/protocols';
import type { Charge } from '../metering/charge.ts';
import { deepFrozen } from './deep-frozen.ts';
import { restoreReasoning } from './reasoning/restore-reasoning.ts';
import type { GenerationDeps } from './text-services.ts';

/** A request as the hub knows it. */
interface Wish {
  generation: GenerationRequest;
  /** What the client's protocol could say and the hub cannot hold. */
  losses: readonly Loss[];
}

/** One request of a client: what all attempts to serve it share, and none may change. */
export interface TextContext {
  request: TextRequest;
  /** What an upstream of the same protocol is asked. */
  operation: TextOperation;
  /** Name of the API key: whatever is kept belongs to it. */
  owner: string;
  /** What is lost is refused instead of told. */
  strict: boolean;
  /** Decodes the request, once, when first asked for. */
  params: () => Promise<Wish>;
  response: ExchangeOptions['response'];
  /** The body as the client sent it, where the request's has been resolved since. */
  sentBody?: () => Record<string, unknown>;
  /** Whether a translated answer is wanted as a whole afterwards. */
  keep: boolean;
  headers: IncomingHttpHeaders;
  /** What the request pays; told of each upstream that is asked. */
  charge: Charge | undefined;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}

/** What {@link createTextContext} needs beside the room. */
export interface TextContextOptions {
  request: TextRequest;
  owner: string;
  strict: boolean;
  headers: IncomingHttpHeaders;
  charge: Charge | undefined;
  signal: AbortSignal;
  responseId?: string;
  framing?: 'sse' | 'json-array';
  sentBody?: () => Record<string, unknown>;
  /** Default `generate`. */
  operation?: TextOperation;
  keep?: boolean;
}

/** Puts together what attempts share. */
export function createTextContext(deps: GenerationDeps, options: TextContextOptions): TextContext {
  const {
    request,
    owner,
    strict,
    headers,
    charge,
    signal,
    responseId,
    framing,
    sentBody,
    operation = 'generate',
    keep = false,
  } = options;
  let params: Promise<Wish> | undefined;
  return {
    request,
    operation,
    owner,
    strict,
    headers,
    charge,
    signal,
    // Chat clients carry no reasoning: it is remembered for them.
    keep: keep || request.protocol.name === 'chat-completions',
    ...(sentBody && { sentBody }),
    params: () => (params ??= decode(deps, request, owner)),
    response: {
      createdAt: Math.floor(deps.now() / 1_000),
      now: () => Math.floor(deps.now() / 1_000),
      newId: deps.newId,
      tokenCodec: deps.tokenCodec,
      ...(responseId !== undefined && { responseId }),
      ...(framing && { framing }),
    },
  };
}

async function decode(deps: GenerationDeps, request: TextRequest, owner: string): Promise<Wish> {
  const losses: Loss[] = [];
  const { protocol, model, stream } = request;
  const decoded = protocol.decodeRequest({
    body: request.body(),
    model,
    stream,
    tokenCodec: deps.tokenCodec,
    report: (loss) => losses.push(loss),
  });
  const generation =
    protocol.name === 'chat-completions'
      ? await restoreReasoning(decoded, (callIds) => deps.memory.recall(owner, callIds))
      : decoded;
  return deepFrozen({ generation, losses });
}
