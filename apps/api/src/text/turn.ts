import type { IncomingHttpHeaders } from 'node:http';
import type { GenerationRequest, Loss, TextOperation } from '@sluice/canonical';
import type { ExchangeOptions, TextRequest } from '@sluice/protocols';
import type { Fare } from '../access/fare.ts';
import { deepFrozen } from '../routing/deep-frozen.ts';
import { restoreReasoning } from '../text-state/restore-reasoning.ts';
import type { TextRoom } from './text-room.ts';

/** A request as the hub knows it. */
interface Wish {
  generation: GenerationRequest;
  /** What the client's protocol could say and the hub cannot hold. */
  losses: readonly Loss[];
}

/** One request of a client: what all attempts to serve it share, and none may change. */
export interface Turn {
  request: TextRequest;
  /** What an upstream of the same protocol is asked. */
  operation: TextOperation;
  /** Name of the API key: whatever is kept belongs to it. */
  owner: string;
  /** What is lost is refused instead of told. */
  strict: boolean;
  /** Decodes the request, once, when first asked for. */
  wish: () => Promise<Wish>;
  answer: ExchangeOptions['answer'];
  /** The body as the client sent it, where the request's has been resolved since. */
  sentBody?: () => Record<string, unknown>;
  /** Whether a translated answer is wanted as a whole afterwards. */
  keep: boolean;
  headers: IncomingHttpHeaders;
  /** What the request pays; told of each upstream that is asked. */
  fare: Fare | undefined;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}

/** What {@link createTurn} needs beside the room. */
export interface TurnOptions {
  request: TextRequest;
  owner: string;
  strict: boolean;
  headers: IncomingHttpHeaders;
  fare: Fare | undefined;
  signal: AbortSignal;
  answerId?: string;
  framing?: 'sse' | 'json-array';
  sentBody?: () => Record<string, unknown>;
  /** Default `generate`. */
  operation?: TextOperation;
  keep?: boolean;
}

/** Puts together what attempts share. */
export function createTurn(room: TextRoom, options: TurnOptions): Turn {
  const {
    request,
    owner,
    strict,
    headers,
    fare,
    signal,
    answerId,
    framing,
    sentBody,
    operation = 'generate',
    keep = false,
  } = options;
  let wish: Promise<Wish> | undefined;
  return {
    request,
    operation,
    owner,
    strict,
    headers,
    fare,
    signal,
    // Chat clients carry no reasoning: it is remembered for them.
    keep: keep || request.protocol.name === 'chat-completions',
    ...(sentBody && { sentBody }),
    wish: () => (wish ??= decode(room, request, owner)),
    answer: {
      createdAt: Math.floor(room.now() / 1_000),
      now: () => Math.floor(room.now() / 1_000),
      newId: room.newId,
      sealer: room.sealer,
      ...(answerId !== undefined && { answerId }),
      ...(framing && { framing }),
    },
  };
}

async function decode(room: TextRoom, request: TextRequest, owner: string): Promise<Wish> {
  const losses: Loss[] = [];
  const { protocol, model, stream } = request;
  const decoded = protocol.decodeRequest({
    body: request.body(),
    model,
    stream,
    sealer: room.sealer,
    report: (loss) => losses.push(loss),
  });
  const generation =
    protocol.name === 'chat-completions'
      ? await restoreReasoning(decoded, (callIds) => room.memory.recall(owner, callIds))
      : decoded;
  return deepFrozen({ generation, losses });
}
