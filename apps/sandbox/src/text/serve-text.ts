import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Completion } from './completion.ts';
import { completeRequest } from './complete-request.ts';
import { lastUserText, type TextRequest } from './text-request.ts';
import { beginResponse, dropResponse, sendBuffered } from './serve-buffered.ts';
import type { TextFault } from './text-faults.ts';
import type { TextVendor } from './text-vendor.ts';
import { hasTextDirective, directiveNumber } from '../directives/text-directives.ts';
import { closeSignal, wait } from '../http/wait.ts';
import type { WireError } from '../http/wire-error.ts';

export interface TextWire {
  name: string;
  fault(fault: TextFault, request: TextRequest): WireError;
}

export interface TextCall {
  request: TextRequest;
  stream: boolean;
  /** Content type of a stream. Default: `text/event-stream; charset=utf-8`. */
  streamType?: string;
  body(response: Completion): unknown;
  frames(response: Completion): Iterable<string | Uint8Array>;
  /** Returns the frame that aborts a stream after `sent` frames. If omitted, the connection is dropped. */
  failure?: ((sent: number) => string | Uint8Array) | undefined;
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** Writes a frame and waits for backpressure. Returns false if the client disconnects while it waits. */
async function write(
  response: ServerResponse,
  frame: string | Uint8Array,
  disconnected: AbortSignal,
): Promise<boolean> {
  if (disconnected.aborted) return false;
  if (!response.write(frame)) {
    await new Promise<void>((resolve) => {
      const resume = () => {
        response.off('drain', resume);
        disconnected.removeEventListener('abort', resume);
        resolve();
      };
      response.once('drain', resume);
      disconnected.addEventListener('abort', resume);
    });
  }
  // Yields to the event loop, so that a disconnect is noticed and each frame is flushed.
  await nextTurn();
  return !disconnected.aborted;
}

async function sendFrames(
  vendor: TextVendor,
  call: TextCall,
  completion: Completion,
  response: ServerResponse,
  disconnected: AbortSignal,
): Promise<void> {
  const text = lastUserText(call.request.turns);
  const frames = call.frames(completion);
  const dripMs = directiveNumber(text, 'drip');
  const cut = hasTextDirective(text, 'cut');
  const broken = cut || hasTextDirective(text, 'error');
  // A stream that breaks midway is generated completely first. Other streams are generated on demand.
  const all = broken ? [...frames] : frames;
  const max = Array.isArray(all) ? Math.floor(all.length / 2) : Infinity;
  let sent = 0;
  for (const frame of all) {
    if (sent >= max) break;
    if (sent > 0 && dripMs !== undefined && !(await wait(dripMs, disconnected))) return;
    if (!(await write(response, frame, disconnected))) return;
    sent += 1;
  }
  if (!broken) response.end();
  else if (cut || call.failure === undefined) dropResponse(vendor, response);
  else response.end(call.failure(sent));
}

/**
 * Sends a buffered or streamed completion and applies the directives of the last user text. Generation stops when the
 * client disconnects.
 * @throws WireError for a fault before the first byte.
 */
export async function serveText(vendor: TextVendor, wire: TextWire, call: TextCall, reply: FastifyReply) {
  const { request, stream } = call;
  const text = lastUserText(request.turns);
  const open = { wire: wire.name, text, stream, fault: (fault: TextFault) => wire.fault(fault, request) };
  if (!(await beginResponse(vendor, open, reply))) return reply;
  const completion = completeRequest(request);
  if (!stream) return sendBuffered(vendor, text, call.body(completion), reply);
  const response = reply.raw;
  const disconnected = closeSignal(response);
  reply.hijack();
  const headers = {
    ...reply.getHeaders(),
    'content-type': call.streamType ?? EVENT_STREAM,
    'cache-control': 'no-cache',
  };
  response.writeHead(200, headers as Record<string, string>);
  await sendFrames(vendor, call, completion, response, disconnected);
  return reply;
}
