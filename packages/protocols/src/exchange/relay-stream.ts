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

export interface RelayStreamOptions {
  protocol: TextProtocol;
  context: ResponseContext;
  /** Chat: the client did not request the chunk with the usage. */
  withholdUsage: boolean;
  scrub: Scrub;
}

/**
 * Relays a stream frame by frame, so that an error can be sent between two frames. Frames change only as
 * `relay-edits.ts`
 * describes. Records usage and the final event on the way.
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
      // The encoder writes the opening bracket of an array, but the array is already open.
      return asBinaryText(isArray && hasElements ? `,\r\n${told.replace(/^\s*\[/, '')}` : told);
    },
    keepAlive: () => keepAliveOf(protocol.name, isArray),
  };
}

/** State of a responses stream, whose events number themselves. */
interface RelayProgress extends ResponseProgress {
  /** The JSON of the last event with a complete response, as sent to the client. */
  lastResponse?: string;
  /** The JSON of the last event. */
  lastData?: string;
}

/** The response as the client last received it, and the number of its last event. */
function lastSaid({ lastResponse = '', lastData = '' }: RelayProgress): [Record<string, unknown>, number] {
  const { response } = JSON.parse(Buffer.from(lastResponse, 'latin1').toString()) as {
    response: Record<string, unknown>;
  }; // edited as an object before
  return [response, Number(/"sequence_number"\s*:\s*(\d+)/.exec(lastData)?.[1] ?? 0)];
}

/** The position of a frame's JSON; -1 for comments and for data on several lines, which no vendor sends. */
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

/** Edits one frame's JSON and records its contents; undefined withholds the frame. */
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
 * The chunks of one chat stream begin alike: id, object, created, model. The prefix of the first is compared with the
 * next
 * one, so that most chunks are not scanned.
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

/** Edits the response that an event carries in one of its members. */
function editInner(name: TextProtocolName, data: string, member: string, clientModel: string): string {
  const found = jsonMembers(data)?.get(member);
  if (!found) return data;
  const inner = data.slice(found.start, found.end);
  const edited = editObject(name, inner, 0, clientModel);
  return edited === inner ? data : data.slice(0, found.start) + edited + data.slice(found.end);
}
