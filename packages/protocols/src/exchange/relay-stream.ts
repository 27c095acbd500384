import { GatewayError, type TextProtocolName } from '@sluice/canonical';
import { keepAliveOf } from '../stream/keep-alive.ts';
import type { ResponseContext, StreamEncoder, TextProtocol } from '../contracts/text-protocol.ts';
import type { ResponseProgress, ResponseWriter } from './response-writer.ts';
import { responseIdIn, noteItem } from './response-ids.ts';
import { asBinaryText } from './binary-text.ts';
import { createFrameCutter } from './frame-cutter.ts';
import { brokeOff, frameSigns } from './frame-signs.ts';
import { jsonMembers } from './json-members.ts';
import { editObject } from './relay-edits.ts';
import { type Scrub, scrubError } from './scrub-error.ts';
import { noteUsage } from './watch-usage.ts';

/** What {@link relayStream} needs. */
export interface RelayStreamOptions {
  protocol: TextProtocol;
  context: ResponseContext;
  /** Chat: the client did not ask for the chunk that tells the usage. */
  withholdUsage: boolean;
  scrub: Scrub;
}

/**
 * Passes a stream on frame by frame, so that an error can be told between two of them. Frames are changed as
 * `relay-edits.ts` says and otherwise stay byte for byte; what is known of usage and ending is noted on the way.
 */
export function relayStream(options: RelayStreamOptions): ResponseWriter {
  const { protocol, context } = options;
  const progress: RelayProgress = { isFinished: false };
  const isArray = context.framing === 'json-array';
  const editFrame = createFrameEditor(options, progress);
  const cutter = createFrameCutter();
  let encoder: StreamEncoder | undefined;
  let hasElements = false;

  function write(frame: string): string {
    const start = dataStart(frame);
    if (start === -1) return isArray ? '' : frame;
    const end = dataEnd(frame, start);
    const edited = editFrame(frame.slice(start, end));
    if (edited === undefined) return '';
    if (!isArray) return frame.slice(0, start) + edited + frame.slice(end);
    const lead = hasElements ? ',\r\n' : '[';
    hasElements = true;
    return lead + edited;
  }

  return {
    encoding: 'latin1',
    progress,
    push: (chunk) => {
      try {
        let out = '';
        for (const frame of cutter.push(chunk)) out += write(frame);
        return out;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        progress.failed = error;
        return '';
      }
    },
    end: () => {
      const rest = cutter.rest().trimEnd();
      const last = rest === '' ? '' : write(`${rest}\n\n`);
      if (!progress.isFinished && !progress.failed) progress.failed = brokeOff();
      return last + (isArray && progress.isFinished ? `${hasElements ? '' : '['}]` : '');
    },
    fail: (error) => {
      const broken = progress.lastResponse && protocol.encodeBreak?.(error, ...lastSaid(progress));
      if (broken) return asBinaryText(broken);
      encoder ??= protocol.encodeStream(context);
      const told = encoder.fail(error);
      // The encoder of an array believes it is at its start; the array is open already.
      return asBinaryText(isArray && hasElements ? `,\r\n${told.replace(/^\s*\[/, '')}` : told);
    },
    keepAlive: () => keepAliveOf(protocol.name, isArray),
  };
}

/** What is noted of responses, whose events go on from one another. */
interface RelayProgress extends ResponseProgress {
  /** The JSON of the last event that told the whole answer, as the client has it. */
  lastResponse?: string;
  /** The JSON of the last event. */
  lastData?: string;
}

/** The answer as the client last saw it, and the number of its last event. */
function lastSaid({ lastResponse = '', lastData = '' }: RelayProgress): [Record<string, unknown>, number] {
  const { response } = JSON.parse(Buffer.from(lastResponse, 'latin1').toString()) as {
    response: Record<string, unknown>;
  }; // it was edited as one
  return [response, Number(/"sequence_number"\s*:\s*(\d+)/.exec(lastData)?.[1] ?? 0)];
}

/** Where a frame's JSON begins; -1 for comments and for data on several lines, which nobody sends. */
function dataStart(frame: string): number {
  let line = frame.startsWith('data:') ? 0 : frame.indexOf('\ndata:') + 1;
  if (line === 0 && !frame.startsWith('data:')) return -1;
  if (frame.includes('\ndata:', line + 1)) return -1;
  line += 'data:'.length;
  return frame[line] === ' ' ? line + 1 : line;
}

function dataEnd(frame: string, start: number): number {
  const feed = frame.indexOf('\n', start);
  return frame[feed - 1] === '\r' ? feed - 1 : feed;
}

/** Changes one frame's JSON and notes what it says; undefined: the frame is withheld. */
type EditFrame = (data: string) => string | undefined;

function createFrameEditor(
  { protocol, context, withholdUsage, scrub }: RelayStreamOptions,
  progress: RelayProgress,
): EditFrame {
  const rename = createRename(protocol.name, context.request.model);
  return (data) => {
    const { isFinish, isLast, error } = frameSigns(protocol, data);
    if (isFinish) progress.isFinished = true;
    if (isLast) progress.isThrough = true;
    if (error && !progress.isFinished) {
      progress.failed = error;
      progress.isReported = true;
    }
    if (data.includes('"usage')) {
      const isUsageAlone = noteUsage(protocol, data, progress);
      if (withholdUsage && isUsageAlone) return undefined;
    }
    return rename(error ? scrubError(protocol.name, data, scrub) : data, progress);
  };
}

function createRename(name: TextProtocolName, clientModel: string) {
  switch (name) {
    case 'chat-completions':
      return renameChat(clientModel);
    case 'generative-content':
      return (data: string) => editObject(name, data, 0, clientModel);
    case 'messages':
      return (data: string) =>
        data.includes('"message_start"') ? editInner(name, data, 'message', clientModel) : data;
    case 'responses':
      return (data: string, progress: RelayProgress) => {
        progress.lastData = data;
        if (data.includes('"response.output_item.done"')) noteItem(data, progress);
        if (!data.includes('"response":')) return data;
        progress.responseId ??= responseIdIn(data, 'response');
        progress.lastResponse = editInner(name, data, 'response', clientModel);
        return progress.lastResponse;
      };
  }
}

/**
 * Chunks of one chat stream begin alike: id, object, created, model. What the first showed is looked for in the next as it
 * is, so that the common chunk is not scanned.
 */
function renameChat(clientModel: string): (data: string) => string {
  let head = '';
  let renamed = '';
  return (data) => {
    if (head !== '' && data.startsWith(head)) return renamed + data.slice(head.length);
    const member = jsonMembers(data)?.get('model');
    if (!member) return data;
    head = data.slice(0, member.end);
    renamed = data.slice(0, member.start) + asBinaryText(JSON.stringify(clientModel));
    return renamed + data.slice(member.end);
  };
}

/** Edits the answer that an event carries in one of its members. */
function editInner(name: TextProtocolName, data: string, member: string, clientModel: string): string {
  const found = jsonMembers(data)?.get(member);
  if (!found) return data;
  const inner = data.slice(found.start, found.end);
  const edited = editObject(name, inner, 0, clientModel);
  return edited === inner ? data : data.slice(0, found.start) + edited + data.slice(found.end);
}
