import { GatewayError } from '@sluice/canonical';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { abortReason } from '../http/abort-requests.ts';
import { nestingError } from '../http/nesting-error.ts';
import { countTokens } from '../generation/count-tokens.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { planText } from '../generation/plan-text.ts';
import { serveText } from '../generation/serve-text.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';
import { refuseVendorReferences } from '../generation/vendor-references.ts';
import { compactConversation } from '../responses/compact-conversation.ts';
import { completeText } from './complete-text.ts';
import { serveModels } from '../models/serve-models.ts';
import { generateResponse } from '../responses/generate-response.ts';
import { cancelResponse, deleteResponse, listInputItems, retrieveResponse } from '../responses/stored-responses.ts';

/** Carries out a call; whatever it throws is answered in the protocol's shape. */
export async function serveTextCall(deps: GenerationDeps, received: Omit<TextCall, 'signal'>): Promise<unknown> {
  // Before anything is waited for: that a client leaves is told once.
  const call: TextCall = { ...received, signal: clientDisconnected(received.reply) };
  try {
    return await carryOut(deps, call);
  } catch (error) {
    const cut = abortReason(call.signal);
    if (cut) throw cut;
    // Nobody is there to be told.
    if (call.signal.aborted) return call.reply.hijack();
    throw nestingError(error, call.request.body) ?? error;
  }
}

async function carryOut(deps: GenerationDeps, call: TextCall): Promise<unknown> {
  switch (call.endpoint.action) {
    case 'text.generate':
      return generateText(deps, call);
    case 'text.count-tokens':
      return countTokens(deps, call);
    case 'text.complete':
      return completeText(deps, call);
    case 'text.compact':
      return compactConversation(deps, call);
    case 'responses.retrieve':
      return retrieveResponse(deps, call);
    case 'responses.delete':
      return deleteResponse(deps, call);
    case 'responses.cancel':
      return cancelResponse(deps, call);
    case 'responses.input-items':
      return listInputItems(deps, call);
    case 'responses.socket':
      // Codex asks here first and goes on with POST at once; any other status makes it try seven times.
      throw new GatewayError('upgrade_required', 'Responses are not served over a web socket. Use POST with stream.');
    case 'models.list':
    case 'models.retrieve':
      return serveModels(deps, call);
  }
}

async function generateText(deps: GenerationDeps, call: TextCall): Promise<unknown> {
  const plan = planText(deps, call);
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(plan.request);
  if (plan.request.protocol.name === 'responses') return generateResponse(deps, call, plan);
  await reserveText(deps, call, plan);
  return serveText(deps, call, plan);
}
