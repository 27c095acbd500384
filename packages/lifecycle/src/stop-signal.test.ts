import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { stopSignal, type StopSource } from './stop-signal.ts';

function fakeProcess(launched: boolean) {
  const exits: number[] = [];
  const source = Object.assign(new EventEmitter(), {
    connected: launched,
    exit: (code: number) => exits.push(code),
    ...(launched && { send: () => true }),
  });
  return { source: source as unknown as StopSource & EventEmitter, exits }; // all that is used of a process
}

describe('stopSignal', () => {
  it.each(['SIGTERM', 'SIGINT', 'disconnect'])('asks a started program to stop at %s', (event) => {
    const { source, exits } = fakeProcess(false);
    const stop = stopSignal(source);
    stop.started();
    source.emit(event);
    expect(stop.signal.aborted).toBe(true);
    expect(exits).toEqual([]);
  });

  it('leaves Ctrl-C to the launcher', () => {
    const { source } = fakeProcess(true);
    const stop = stopSignal(source);
    stop.started();
    source.emit('SIGINT');
    expect(stop.signal.aborted).toBe(false);
  });

  it('ends a program at once that has started nothing yet', () => {
    const { source, exits } = fakeProcess(false);
    stopSignal(source);
    source.emit('SIGTERM');
    expect(exits).toEqual([0]);
  });

  it('ends a program whose launcher has died before it listened', () => {
    const { source, exits } = fakeProcess(true);
    Object.assign(source, { connected: false });
    stopSignal(source);
    expect(exits).toEqual([0]);
  });
});
