import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { TextFault } from './text-faults.ts';
import type { TextVendor } from './text-vendor.ts';
import { hasTextDirective, directiveNumber } from '../directives/text-directives.ts';
import { sendHalf } from '../http/send-half.ts';
import { closeSignal, wait } from '../http/wait.ts';
import type { WireError } from '../http/wire-error.ts';

export interface OpenCall {
  /** The vendor API, because injected faults are counted separately for each one. */
  wire: string;
  /** The text that may contain directives. */
  text: string;
  stream: boolean;
  fault(fault: TextFault): WireError;
}

export interface BufferedCall extends Omit<OpenCall, 'stream'> {
  body(): unknown;
}

export function dropResponse(vendor: TextVendor, response: ServerResponse): void {
  vendor.log.broken(response);
  response.destroy();
}

/**
 * Applies the directives that take effect before the first byte.
 * @returns false if the response is already complete or the client has disconnected.
 * @throws WireError for an injected fault.
 */
export async function beginResponse(vendor: TextVendor, call: OpenCall, reply: FastifyReply): Promise<boolean> {
  const { text } = call;
  const slow = directiveNumber(text, 'slow');
  if (slow !== undefined && !(await wait(slow * 1000, closeSignal(reply.raw)))) {
    reply.hijack();
    return false;
  }
  const fault = vendor.faults.next(call.wire, text);
  if (fault !== undefined) throw call.fault(fault);
  if (hasTextDirective(text, 'error') && !call.stream) throw call.fault('broken');
  vendor.log.firstByteSent(reply.raw);
  if (!hasTextDirective(text, 'garbled')) return true;
  void reply.type('text/html').send('<html><body>It works!</body></html>');
  return false;
}

/** Sends the body. `[cut]` drops the connection midway. */
export function sendBuffered(vendor: TextVendor, text: string, body: unknown, reply: FastifyReply): FastifyReply {
  if (!hasTextDirective(text, 'cut')) return reply.send(body);
  return sendHalf(reply, Buffer.from(JSON.stringify(body)), {}, () => dropResponse(vendor, reply.raw));
}

/** @throws WireError for an injected fault. */
export async function serveBuffered(vendor: TextVendor, call: BufferedCall, reply: FastifyReply) {
  if (!(await beginResponse(vendor, { ...call, stream: false }, reply))) return reply;
  return sendBuffered(vendor, call.text, call.body(), reply);
}
