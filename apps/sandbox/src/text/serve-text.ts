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
  /** Default `text/event-stream; charset=utf-8`. */
  streamType?: string;
  body(response: Completion): unknown;
  /** Frames are written one by one. */
  frames(response: Completion): Iterable<string | Uint8Array>;
  /** The frame that aborts a stream after this many frames. Absent: the connection is dropped. */
  failure?: ((sent: number) => string) | undefined;
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** Respects backpressure; false if the client disconnects meanwhile. */
async function write(response: ServerResponse, frame: string | Uint8Array, left: AbortSignal): Promise<boolean> {
  if (left.aborted) return false;
  if (!response.write(frame)) {
    await new Promise<void>((resolve) => {
      const goOn = () => {
        response.off('drain', goOn);
        left.removeEventListener('abort', goOn);
        resolve();
      };
      response.once('drain', goOn);
      left.addEventListener('abort', goOn);
    });
  }
  // Yields, so that a disconnect is noticed and each frame is flushed.
  await nextTurn();
  return !left.aborted;
}

async function sendFrames(
  vendor: TextVendor,
  call: TextCall,
  said: Completion,
  response: ServerResponse,
  left: AbortSignal,
): Promise<void> {
  const text = lastUserText(call.request.turns);
  const frames = call.frames(said);
  const dripMs = directiveNumber(text, 'drip');
  const cut = hasTextDirective(text, 'cut');
  const broken = cut || hasTextDirective(text, 'error');
  // Only a stream that is to break must be known in full; the others are generated on demand.
  const all = broken ? [...frames] : frames;
  const max = Array.isArray(all) ? Math.floor(all.length / 2) : Infinity;
  let sent = 0;
  for (const frame of all) {
    if (sent >= max) break;
    if (sent > 0 && dripMs !== undefined && !(await wait(dripMs, left))) return;
    if (!(await write(response, frame, left))) return;
    sent += 1;
  }
  if (!broken) response.end();
  else if (cut || call.failure === undefined) dropResponse(vendor, response);
  else response.end(call.failure(sent));
}

/**
 * Serves a buffered or streamed completion and applies the directives of the last user text. Generation stops when the
 * client disconnects.
 * @throws WireError for a fault before the first byte.
 */
export async function serveText(
  vendor: TextVendor,
  wire: TextWire,
  call: TextCall,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { request, stream } = call;
  const text = lastUserText(request.turns);
  const open = { wire: wire.name, text, stream, fault: (fault: TextFault) => wire.fault(fault, request) };
  if (!(await beginResponse(vendor, open, reply))) return reply;
  const said = completeRequest(request);
  if (!stream) return sendBuffered(vendor, text, call.body(said), reply);
  const response = reply.raw;
  const left = closeSignal(response);
  reply.hijack();
  const headers = {
    ...reply.getHeaders(),
    'content-type': call.streamType ?? EVENT_STREAM,
    'cache-control': 'no-cache',
  };
  response.writeHead(200, headers as Record<string, string>);
  await sendFrames(vendor, call, said, response, left);
  return reply;
}
