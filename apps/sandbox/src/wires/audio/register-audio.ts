import type { FastifyInstance } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { registerWire } from '../../text/register-wire.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { openAiError } from '../openai-style/openai-error.ts';
import { incorrectKey } from '../openai-style/openai-fault.ts';
import { serveSpeech } from './serve-speech.ts';

/** Serves OpenAI's sounds on a scope of its own, whose prefix is `/v1/audio`. */
export function registerAudio(scope: FastifyInstance, vendor: TextVendor): void {
  registerWire(scope, vendor, {
    name: 'audio',
    requestIdHeader: 'x-request-id',
    authenticate({ headers }) {
      if (!carriesBearerKey(headers.authorization, vendor.apiKey)) throw incorrectKey();
    },
    invalid: (status, message) => openAiError(status, message, status >= 500 ? { type: 'server_error' } : {}),
  });

  scope.post('/speech', (request, reply) => serveSpeech(vendor, request.body, reply));
}
