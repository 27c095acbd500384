import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hexFrom } from '../../jobs/job-id.ts';
import { countInput } from '../../text/complete-request.ts';
import type { Completion } from '../../text/completion.ts';
import { openTextScope } from '../../text/open-text-scope.ts';
import { serveText, type TextWire } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { createMediaWire } from '../media/media-wire.ts';
import { authenticateBedrock } from './authenticate-bedrock.ts';
import { formatBedrockFault, formatHttpError, formatMediaError } from './bedrock-error.ts';
import { checkConverseRequest, checkCountTokens } from './check-converse-request.ts';
import {
  completeConversation,
  type ConverseHead,
  conversationEvents,
  conversationFailure,
} from './converse-response.ts';
import { decodeConverseRequest } from './decode-converse-request.ts';
import { registerAsyncInvoke } from './register-async-invoke.ts';
import { registerInvokeModel } from './register-invoke-model.ts';

const WIRE: TextWire = { name: 'bedrock', fault: formatBedrockFault };
const EVENT_STREAM = 'application/vnd.amazon.eventstream';

interface ModelCall {
  Params: { model: string };
}

function modelOf(request: FastifyRequest): string {
  return (request.params as Partial<ModelCall['Params']>).model ?? '';
}

/** AWS's ids of invocations have 12 letters and digits. */
function invocationId(unique: string): string {
  return hexFrom(unique).slice(0, 12);
}

/** Serves Bedrock's runtime API. It accepts a Bedrock API key, or a request signed with Signature Version 4. */
export function registerBedrock(scope: FastifyInstance, vendor: TextVendor, media: MediaVendor): void {
  openTextScope(scope, vendor, {
    name: WIRE.name,
    requestIdHeader: 'x-amzn-requestid',
    modelOf,
    formatHttpError,
  });

  authenticateBedrock(scope, vendor);

  const wire = createMediaWire(media, {
    wire: WIRE.name,
    format: formatMediaError,
    jobId: invocationId,
    hasLag: false,
  });
  registerInvokeModel(scope, media, wire);
  registerAsyncInvoke(scope, media, wire);

  for (const stream of [false, true]) {
    scope.post<ModelCall>(`/model/:model/${stream ? 'converse-stream' : 'converse'}`, (request, reply) => {
      const { model } = request.params;
      const body = checkConverseRequest(request.body, model, vendor.secretStore);
      const head: ConverseHead = {
        model,
        secretStore: vendor.secretStore,
        newToolUseId: () => `tooluse_${vendor.newId().slice(0, 22)}`,
        showsStopSequence: body.additionalModelResponseFieldPaths?.includes('/stop_sequence') === true,
        serviceTier: body.serviceTier?.type,
      };
      const call = {
        request: decodeConverseRequest(body, model),
        stream,
        streamType: EVENT_STREAM,
        body: (response: Completion) => completeConversation(response, head),
        frames: (response: Completion) => conversationEvents(response, head),
        failure: conversationFailure,
      };
      return serveText(vendor, WIRE, call, reply);
    });
  }

  scope.post<ModelCall>('/model/:model/count-tokens', (request, reply) => {
    const { model } = request.params;
    const body = checkCountTokens(request.body, model, vendor.secretStore);
    return reply.send({ inputTokens: countInput(decodeConverseRequest(body, model)).input });
  });
}
