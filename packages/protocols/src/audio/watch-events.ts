import { GatewayError, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { EventWatcher } from '../contracts/audio-protocol.ts';
import { isRecord } from '../json/is-record.ts';
import { createSseParser, type SseFrame } from '../stream/sse.ts';
import { decodeAudioUsage } from './audio-usage.ts';
import { splitEventFrames } from './event-frames.ts';

/** Size limit of one event, enough for five minutes of raw samples. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Only final and error events contain these strings. Deltas can hold megabytes of audio and are not parsed. */
const END_MARKERS = ['.done"', 'error', '[DONE]'];

/**
 * Watches relayed events. A stream is finished after an event whose type ends in `.done` or, for some vendors, after
 * `[DONE]`. An error event also ends the stream and is not relayed.
 */
export function watchEvents(): EventWatcher {
  const frames = splitEventFrames();
  /** @returns whether to relay the event */
  const passes = (bytes: Uint8Array): boolean => {
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!END_MARKERS.some((marker) => raw.includes(marker))) return true;
    for (const frame of framesOf(raw)) {
      if (frame.data.trim() === '[DONE]') watcher.isFinished = true;
      const event = parsed(frame.data);
      const failure = failureOf(frame, event);
      if (failure !== undefined) {
        watcher.failure = failure;
        return false;
      }
      if (!isRecord(event) || typeof event['type'] !== 'string' || !event['type'].endsWith('.done')) continue;
      watcher.isFinished = true;
      const usage = decodeAudioUsage(event['usage']);
      if (usage) watcher.usage = usage;
    }
    return true;
  };
  const pass = (events: readonly Uint8Array[]): Uint8Array => {
    const passed: Uint8Array[] = [];
    for (const bytes of events) {
      if (watcher.failure !== undefined || !passes(bytes)) break;
      watcher.hasStarted ||= Buffer.from(bytes).includes('data');
      passed.push(bytes);
    }
    const [only = new Uint8Array()] = passed;
    return passed.length > 1 ? Buffer.concat(passed) : only;
  };
  const watcher: EventWatcher = {
    hasStarted: false,
    isFinished: false,
    push: (bytes) => {
      const passed = pass(frames.push(bytes));
      if (frames.pendingBytes() <= MAX_BYTES) return passed;
      throw new GatewayError('provider_error', UPSTREAM_MESSAGES.tooLarge);
    },
    end: () => pass([frames.end()]),
  };
  return watcher;
}

function framesOf(bytes: Uint8Array): SseFrame[] {
  const parser = createSseParser();
  return [...parser.push(bytes), ...parser.end()];
}

function failureOf({ event: name, data }: SseFrame, event: unknown): unknown {
  if (!isRecord(event)) return name === 'error' ? { message: data } : undefined;
  const { type, error } = event;
  if (error !== undefined && error !== null) return error;
  return type === 'error' || name === 'error' ? event : undefined;
}

function parsed(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return value;
  } catch {
    return undefined;
  }
}
