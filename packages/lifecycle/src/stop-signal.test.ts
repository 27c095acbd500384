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
  return { source: source as unknown as StopSource & EventEmitter, exits }; // fakes the used parts of `process`
}

describe('stopSignal', () => {
  it.each(['SIGTERM', 'SIGINT', 'disconnect'])('aborts a started program on %s', (event) => {
    const { source, exits } = fakeProcess(false);
    const stop = stopSignal(source);
    stop.started();
    source.emit(event);
    expect(stop.signal.aborted).toBe(true);
    expect(exits).toEqual([]);
  });

  it('reports that the launcher has exited, unless a stop request came first', () => {
    const { source } = fakeProcess(true);
    const stop = stopSignal(source);
    stop.started();
    source.emit('disconnect');
    expect(stop.orphaned.aborted).toBe(true);
    const stopped = fakeProcess(true);
    const other = stopSignal(stopped.source);
    other.started();
    stopped.source.emit('SIGTERM');
    stopped.source.emit('disconnect');
    expect(other.orphaned.aborted).toBe(false);
  });

  it('ignores Ctrl-C under a launcher', () => {
    const { source } = fakeProcess(true);
    const stop = stopSignal(source);
    stop.started();
    source.emit('SIGINT');
    expect(stop.signal.aborted).toBe(false);
  });

  it('exits immediately if nothing has started yet', () => {
    const { source, exits } = fakeProcess(false);
    stopSignal(source);
    source.emit('SIGTERM');
    expect(exits).toEqual([0]);
  });

  it('exits if the launcher died before the call', () => {
    const { source, exits } = fakeProcess(true);
    Object.assign(source, { connected: false });
    stopSignal(source);
    expect(exits).toEqual([0]);
  });
});
