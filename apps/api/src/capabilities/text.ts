import { GatewayError } from '@sluice/canonical';
import { clientGone } from '../http/client-gone.ts';
import { cutOffBy } from '../http/cut-off.ts';
import { nestedTooDeeply } from '../http/nested-too-deeply.ts';
import { countTokens } from '../text/count-tokens.ts';
import { enterText } from '../text/enter-text.ts';
import { planText } from '../text/plan-text.ts';
import { serveText } from '../text/serve-text.ts';
import type { TextCall, TextRoom } from '../text/text-room.ts';
import { refuseVendorReferences } from '../text/vendor-references.ts';
import { compactConversation } from './compaction.ts';
import { completeText } from './completions.ts';
import { serveModels } from './models.ts';
import { generateResponse } from './responses.ts';
import { cancelResponse, deleteResponse, listInputItems, retrieveResponse } from './stored-responses.ts';

/** Carries out a call; whatever it throws is answered in the protocol's shape. */
export async function serveTextCall(room: TextRoom, received: Omit<TextCall, 'signal'>): Promise<unknown> {
  // Before anything is waited for: that a client leaves is told once.
  const call: TextCall = { ...received, signal: clientGone(received.reply) };
  try {
    return await carryOut(room, call);
  } catch (error) {
    const cut = cutOffBy(call.signal);
    if (cut) throw cut;
    // Nobody is there to be told.
    if (call.signal.aborted) return call.reply.hijack();
    throw nestedTooDeeply(error, call.request.body) ?? error;
  }
}

async function carryOut(room: TextRoom, call: TextCall): Promise<unknown> {
  switch (call.endpoint.action) {
    case 'text.generate':
      return generateText(room, call);
    case 'text.count-tokens':
      return countTokens(room, call);
    case 'text.complete':
      return completeText(room, call);
    case 'text.compact':
      return compactConversation(room, call);
    case 'responses.retrieve':
      return retrieveResponse(room, call);
    case 'responses.delete':
      return deleteResponse(room, call);
    case 'responses.cancel':
      return cancelResponse(room, call);
    case 'responses.input-items':
      return listInputItems(room, call);
    case 'responses.socket':
      // Codex asks here first and goes on with POST at once; any other status makes it try seven times.
      throw new GatewayError('upgrade_required', 'Responses are not served over a web socket. Use POST with stream.');
    case 'models.list':
    case 'models.retrieve':
      return serveModels(room, call);
  }
}

async function generateText(room: TextRoom, call: TextCall): Promise<unknown> {
  const plan = planText(room, call);
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(plan.request);
  if (plan.request.protocol.name === 'responses') return generateResponse(room, call, plan);
  await enterText(room, call, plan);
  return serveText(room, call, plan);
}
