import {
  type Compaction,
  compactionResponse,
  compactionStream,
  inputItems,
  type TextRequest,
  withBody,
} from '@sluice/protocols';
import { openEventStream } from '../http/event-stream.ts';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import { newResponseId } from '../text-state/stored-response.ts';
import type { TextPlan } from './plan-text.ts';
import { noteServed } from './note-served.ts';
import { summarise } from './summarise.ts';
import type { TextCall, TextRoom } from './text-room.ts';
import { createTurn } from './turn.ts';

/** Whether a request asks for a compaction instead of an answer (Codex, `remote_compaction_v2`). */
export function isCompactionTriggered(request: TextRequest): boolean {
  if (!request.mentions('compaction_trigger')) return false;
  const input = request.member('input');
  return Array.isArray(input) && isTrigger(input.at(-1));
}

function isTrigger(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'type' in item && item.type === 'compaction_trigger';
}

/**
 * Answers a request that ends in a compaction trigger: with exactly one compaction item, in one piece or as a stream, as
 * the client asked. Codex gives up on anything else.
 * @throws GatewayError while nothing was sent
 */
export async function compactTriggered(room: TextRoom, call: TextCall, plan: TextPlan): Promise<unknown> {
  const { stream } = plan.request;
  const body = plan.request.body();
  const input = inputItems(body, room.newId).filter((item) => !isTrigger(item));
  const turn = createTurn(room, {
    request: withBody(plan.request, { ...body, input }),
    owner: call.apiKey.name,
    strict: false,
    headers: call.request.headers,
    signal: call.signal,
    answerId: newResponseId(),
  });
  const context = { ...turn.answer, request: (await turn.wish()).generation, body };
  const compact = async (): Promise<Compaction> => {
    const { sealed, target, usage } = await summarise(room, plan, turn);
    noteServed(room, call, { target, relayed: false, ...(usage && { usage }) });
    return { encryptedContent: sealed, usage: usage ?? { inputTokens: 0, outputTokens: 0 } };
  };
  if (!stream) {
    const compaction = await compact();
    return call.reply.send(compactionResponse(compaction, context));
  }
  const written = compactionStream(context);
  const client = openEventStream(call.reply, {
    contentType: 'text/event-stream; charset=utf-8',
    keepAliveMs: room.keepAliveMs,
    keepAlive: () => written.keepAlive(),
  });
  try {
    const compaction = await compact();
    client.begin({});
    client.write(written.finish(compaction), 'utf8');
  } catch (error) {
    if (!client.isBegun) {
      client.cancel();
      throw error;
    }
    client.write(written.fail(gatewayErrorOf(error)), 'utf8');
  }
  client.end();
  return call.reply;
}
