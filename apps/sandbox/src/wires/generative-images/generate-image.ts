import type { FastifyReply, FastifyRequest } from 'fastify';
import { WireError } from '../../http/wire-error.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import { formatGoogleError } from '../google-style/format-google-error.ts';
import type { FormatError } from '../media/format-error.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { createMediaWire } from '../media/media-wire.ts';
import { blockedResponse, imageResponse } from './image-response.ts';
import { requestsText, promptIn, readImageParams } from './image-params.ts';

type Framing = 'complete' | 'events' | 'array';

/** Google responds to a blocked prompt with status 200. */
const format: FormatError = (fault, detail) =>
  fault === 'moderation' ? new WireError(200, 'blocked', blockedResponse) : formatGoogleError(fault, detail);

/** Sends the images in a single frame. */
function framed(body: object, framing: Framing, reply: FastifyReply): unknown {
  if (framing === 'array') return [body];
  if (framing === 'complete') return body;
  reply.type('text/event-stream; charset=utf-8');
  return `data: ${JSON.stringify(body)}\r\n\r\n`;
}

export function createGenerateImage(vendor: MediaVendor, secretStore: SecretStore) {
  const wire = createMediaWire(vendor, { wire: 'generative-images', format, hasLag: false });
  return (request: FastifyRequest, reply: FastifyReply, { model, framing }: { model: string; framing: Framing }) => {
    const { body } = request;
    const head = { id: vendor.newId().slice(0, 24), withText: requestsText(body), secretStore };
    return wire.submitAndWait(request, reply, {
      prompt: promptIn(body),
      read: () => readImageParams(body, model, secretStore),
      body: (job, state) => framed(imageResponse(vendor, job, state, head), framing, reply),
      garbled: () => ({ predictions: [{ state: 'NOT_START' }] }),
      isInline: () => true,
    });
  };
}
