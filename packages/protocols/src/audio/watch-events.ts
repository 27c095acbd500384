import type { EventWatcher } from '../audio-protocol.ts';
import { isRecord } from '../is-record.ts';
import { createSseParser } from '../sse.ts';
import { decodeAudioUsage } from './audio-usage.ts';

/**
 * Makes a watcher of relayed events.
 * @param last the type of the event that ends a stream; what it says of usage is kept
 */
export function watchEvents(last: string): EventWatcher {
  const parser = createSseParser();
  const look = (frames: { event?: string; data: string }[]): void => {
    for (const { data } of frames) {
      // A delta may hold megabytes of sound: only what looks like the end is read.
      if (!data.includes(last) || !isLast(data, last)) continue;
      watcher.isFinished = true;
      const usage = decodeAudioUsage(member(data, 'usage'));
      if (usage) watcher.usage = usage;
    }
  };
  const watcher: EventWatcher = {
    isFinished: false,
    push: (bytes) => look(parser.push(bytes)),
    end: () => look(parser.end()),
  };
  return watcher;
}

function isLast(data: string, last: string): boolean {
  return member(data, 'type') === last;
}

function member(data: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value[name] : undefined;
  } catch {
    return undefined;
  }
}
