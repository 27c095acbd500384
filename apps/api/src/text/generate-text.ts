import { GatewayError } from '@sluice/canonical';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { cutOffBy } from '../http/abort-requests.ts';
import { nestedTooDeeply } from '../http/nesting-error.ts';
import { countTokens } from '../generation/count-tokens.ts';
import { enterText } from '../generation/reserve-text.ts';
import { planText } from '../generation/plan-text.ts';
import { serveText } from '../generation/serve-text.ts';
import type { TextCall, TextServices } from '../generation/text-services.ts';
import { refuseVendorReferences } from '../generation/vendor-references.ts';
import { compactConversation } from '../responses/compact-conversation.ts';
import { completeText } from './complete-text.ts';
import { serveModels } from '../models/serve-models.ts';
import { generateResponse } from '../responses/generate-response.ts';
import { cancelResponse, deleteResponse, listInputItems, retrieveResponse } from '../responses/stored-responses.ts';

/** Carries out a call; whatever it throws is answered in the protocol's shape. */
export async function serveTextCall(services: TextServices, received: Omit<TextCall, 'signal'>): Promise<unknown> {
  // Before anything is waited for: that a client leaves is told once.
  const call: TextCall = { ...received, signal: clientDisconnected(received.reply) };
  try {
    return await carryOut(services, call);
  } catch (error) {
    const cut = cutOffBy(call.signal);
    if (cut) throw cut;
    // Nobody is there to be told.
    if (call.signal.aborted) return call.reply.hijack();
    throw nestedTooDeeply(error, call.request.body) ?? error;
  }
}

async function carryOut(services: TextServices, call: TextCall): Promise<unknown> {
  switch (call.endpoint.action) {
    case 'text.generate':
      return generateText(services, call);
    case 'text.count-tokens':
      return countTokens(services, call);
    case 'text.complete':
      return completeText(services, call);
    case 'text.compact':
      return compactConversation(services, call);
    case 'responses.retrieve':
      return retrieveResponse(services, call);
    case 'responses.delete':
      return deleteResponse(services, call);
    case 'responses.cancel':
      return cancelResponse(services, call);
    case 'responses.input-items':
      return listInputItems(services, call);
    case 'responses.socket':
      // Codex asks here first and goes on with POST at once; any other status makes it try seven times.
      throw new GatewayError('upgrade_required', 'Responses are not served over a web socket. Use POST with stream.');
    case 'models.list':
    case 'models.retrieve':
      return serveModels(services, call);
  }
}

async function generateText(services: TextServices, call: TextCall): Promise<unknown> {
  const plan = planText(services, call);
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(plan.request);
  if (plan.request.protocol.name === 'responses') return generateResponse(services, call, plan);
  await enterText(services, call, plan);
  return serveText(services, call, plan);
}
