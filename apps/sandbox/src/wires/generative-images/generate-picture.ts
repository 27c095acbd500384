import type { FastifyReply, FastifyRequest } from 'fastify';
import { WireError } from '../../http/wire-error.ts';
import type { Vault } from '../../text/vault.ts';
import { spellGoogleFault } from '../generative-content/spell-google-fault.ts';
import type { SpellFault } from '../media/media-fault.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { createMediaWire } from '../media/media-wire.ts';
import { blockedAnswer, pictureAnswer } from './picture-answer.ts';
import { asksForWords, promptIn, readPictureWish } from './picture-wish.ts';

/** How an answer goes out: whole, as server-sent events, or as an array. */
type Framing = 'whole' | 'events' | 'array';

/** Generates a picture and answers with it. */
export type GeneratePicture = (
  request: FastifyRequest,
  reply: FastifyReply,
  call: { model: string; framing: Framing },
) => Promise<FastifyReply>;

/** Google answers a prompt that offends by 200. */
const spell: SpellFault = (fault, detail) =>
  fault === 'moderation' ? new WireError(200, 'blocked', blockedAnswer) : spellGoogleFault(fault, detail);

/** A picture comes in one piece, streamed or not. */
function framed(body: object, framing: Framing, reply: FastifyReply): unknown {
  if (framing === 'array') return [body];
  if (framing === 'whole') return body;
  reply.type('text/event-stream; charset=utf-8');
  return `data: ${JSON.stringify(body)}\r\n\r\n`;
}

/** Makes the part of the generative-content wire that makes pictures. */
export function createGeneratePicture(vendor: MediaVendor, vault: Vault): GeneratePicture {
  const wire = createMediaWire(vendor, { wire: 'generative-images', spell, lags: false });
  return (request, reply, { model, framing }) => {
    const { body } = request;
    const head = { id: vendor.newId().slice(0, 24), words: asksForWords(body), vault };
    return wire.make(request, reply, {
      prompt: promptIn(body),
      read: () => readPictureWish(body, model, vault),
      made: (job, state) => framed(pictureAnswer(vendor, job, state, head), framing, reply),
      garbled: () => ({ predictions: [{ state: 'NOT_START' }] }),
      isInline: () => true,
    });
  };
}
