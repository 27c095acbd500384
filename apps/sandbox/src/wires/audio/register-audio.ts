import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { TextVendor } from '../../text/text-vendor.ts';
import { registerOpenAiWire } from '../openai-style/register-openai-wire.ts';
import { serveSpeech } from './serve-speech.ts';
import { serveTranscription } from './serve-transcription.ts';

/** The vendor's limit is 25 MB. The sandbox accepts more, so that tests can measure large uploads. */
const FORM_LIMITS = { fileSize: 4 * 1024 ** 3, fieldSize: 8 * 1024 ** 2, files: 4, parts: 128 };

export async function registerAudio(scope: FastifyInstance, vendor: TextVendor): Promise<void> {
  await scope.register(multipart, { limits: FORM_LIMITS });
  registerOpenAiWire(scope, vendor, 'audio');

  scope.post('/speech', (request, reply) => serveSpeech(vendor, request.body, reply));
  scope.post('/transcriptions', { bodyLimit: FORM_LIMITS.fileSize }, (request, reply) =>
    serveTranscription(vendor, request, reply, 'transcribe'),
  );
  scope.post('/translations', { bodyLimit: FORM_LIMITS.fileSize }, (request, reply) =>
    serveTranscription(vendor, request, reply, 'translate'),
  );
}
