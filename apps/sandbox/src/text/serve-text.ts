import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Answer } from './answer.ts';
import { answerQuestion } from './answer-question.ts';
import { lastUserText, type Question } from './question.ts';
import { beginAnswer, breakOff, sendWhole } from './serve-whole.ts';
import type { TextFault } from './text-faults.ts';
import type { TextVendor } from './text-vendor.ts';
import { hasTextWord, wordNumber } from './text-words.ts';
import { leaving, wait } from '../http/wait.ts';
import type { WireError } from '../http/wire-error.ts';

/** A wire that answers at once. */
export interface TextWire {
  name: string;
  /** A failure as this wire spells it. */
  fault(fault: TextFault, question: Question): WireError;
}

/** A question that came over a wire, and how that wire spells the answer. */
export interface TextCall {
  question: Question;
  stream: boolean;
  /** The media type of a stream. Default `text/event-stream; charset=utf-8`. */
  streamType?: string;
  /** The whole answer. */
  body(answer: Answer): unknown;
  /** The answer in frames, each written by itself. */
  frames(answer: Answer): Iterable<string | Uint8Array>;
  /** The frame that breaks a stream off after as many frames. Absent: the stream cannot say so, and dies. */
  failure?(sent: number): string;
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** Writes a frame and waits until more may be written; false when the caller has left meanwhile. */
async function write(answer: ServerResponse, frame: string | Uint8Array, left: AbortSignal): Promise<boolean> {
  if (left.aborted) return false;
  if (!answer.write(frame)) {
    await new Promise<void>((resolve) => {
      const goOn = () => {
        answer.off('drain', goOn);
        left.removeEventListener('abort', goOn);
        resolve();
      };
      answer.once('drain', goOn);
      left.addEventListener('abort', goOn);
    });
  }
  // Lets the caller's leaving be seen, and each frame go out by itself.
  await nextTurn();
  return !left.aborted;
}

async function sendFrames(
  vendor: TextVendor,
  call: TextCall,
  said: Answer,
  answer: ServerResponse,
  left: AbortSignal,
): Promise<void> {
  const text = lastUserText(call.question.turns);
  const frames = call.frames(said);
  const dripMs = wordNumber(text, 'drip');
  const cut = hasTextWord(text, 'cut');
  const broken = cut || hasTextWord(text, 'error');
  // Only a stream that is to break must be known whole; the others are made as they go.
  const all = broken ? [...frames] : frames;
  const most = Array.isArray(all) ? Math.floor(all.length / 2) : Infinity;
  let sent = 0;
  for (const frame of all) {
    if (sent >= most) break;
    if (sent > 0 && dripMs !== undefined && !(await wait(dripMs, left))) return;
    if (!(await write(answer, frame, left))) return;
    sent += 1;
  }
  if (!broken) answer.end();
  else if (cut || call.failure === undefined) breakOff(vendor, answer);
  else answer.end(call.failure(sent));
}

/**
 * Answers a checked text request, whole or streamed, and does what words in the last user text ask for. Generation ends
 * when the caller leaves.
 * @throws WireError for a failure before the first byte.
 */
export async function serveText(
  vendor: TextVendor,
  wire: TextWire,
  call: TextCall,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { question, stream } = call;
  const text = lastUserText(question.turns);
  const open = { wire: wire.name, text, stream, fault: (fault: TextFault) => wire.fault(fault, question) };
  if (!(await beginAnswer(vendor, open, reply))) return reply;
  const said = answerQuestion(question);
  if (!stream) return sendWhole(vendor, text, call.body(said), reply);
  const answer = reply.raw;
  const left = leaving(answer);
  reply.hijack();
  const headers = {
    ...reply.getHeaders(),
    'content-type': call.streamType ?? EVENT_STREAM,
    'cache-control': 'no-cache',
  };
  // Fastify's header values are those that Node takes.
  answer.writeHead(200, headers as Record<string, string>);
  await sendFrames(vendor, call, said, answer, left);
  return reply;
}
