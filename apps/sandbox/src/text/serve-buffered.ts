import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { TextFault } from './text-faults.ts';
import type { TextVendor } from './text-vendor.ts';
import { hasTextDirective, directiveNumber } from '../directives/text-directives.ts';
import { closeSignal, wait } from '../http/wait.ts';
import type { WireError } from '../http/wire-error.ts';

/** A checked request, before anything of it is answered. */
export interface OpenCall {
  /** The wire's name, by which failures are counted. */
  wire: string;
  /** The text in which words are looked for. */
  text: string;
  stream: boolean;
  /** A failure as the wire spells it. */
  fault(fault: TextFault): WireError;
}

/** A checked request that is answered in one piece. */
export interface BufferedCall extends Omit<OpenCall, 'stream'> {
  body(): unknown;
}

/** Breaks a connection off, as a vendor that crashes does. */
export function dropResponse(vendor: TextVendor, response: ServerResponse): void {
  vendor.log.broken(response);
  response.destroy();
}

/**
 * Does what words ask for before the first byte of an answer.
 * @returns false when there is nothing more to say: the caller has left, or has got what a word asks for.
 * @throws WireError for a failure that a word asks for.
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
  vendor.log.begun(reply.raw);
  if (!hasTextDirective(text, 'garbled')) return true;
  void reply.type('text/html').send('<html><body>It works!</body></html>');
  return false;
}

/** Sends an answer in one piece, or as much of it as a word in the text lets through. */
export function sendBuffered(vendor: TextVendor, text: string, body: unknown, reply: FastifyReply): FastifyReply {
  if (!hasTextDirective(text, 'cut')) return reply.send(body);
  const bytes = Buffer.from(JSON.stringify(body));
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  reply.raw.write(bytes.subarray(0, bytes.length >> 1), () => dropResponse(vendor, reply.raw));
  return reply;
}

/**
 * Answers a checked request in one piece, and does what words in its text ask for.
 * @throws WireError for a failure that a word asks for.
 */
export async function serveBuffered(
  vendor: TextVendor,
  call: BufferedCall,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!(await beginResponse(vendor, { ...call, stream: false }, reply))) return reply;
  return sendBuffered(vendor, call.text, call.body(), reply);
}
