import type { RealtimeSocket } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { PeerWatch } from './watch-peer.ts';

/** A socket that notes what is done to it. */
function notedSocket(waitingBytes = 0) {
  const done: string[] = [];
  const note = (what: string) => (): void => void done.push(what);
  const socket: RealtimeSocket = {
    waitingBytes,
    readBytes: 0,
    cutWhenStuck: note('cutWhenStuck'),
    listen: note('listen'),
    send: note('send'),
    pause: note('pause'),
    resume: note('resume'),
    close: note('close'),
    ping: note('ping'),
    terminate: note('terminate'),
  };
  return { socket, done };
}

it('a peer that says nothing to two pings is cut, one that says anything is not', () => {
  const { socket, done } = notedSocket();
  const watch = new PeerWatch(socket);
  for (let times = 0; times < 5; times++) {
    watch.ask(true);
    watch.ask(true);
    watch.recorded();
  }
  expect(done).toEqual(Array.from({ length: 10 }, () => 'ping'));
  watch.ask(true);
  watch.ask(true);
  watch.ask(true);
  expect(done.slice(10)).toEqual(['ping', 'ping', 'terminate']);
});

it('a peer whose answers nobody reads is neither asked nor cut', () => {
  const { socket, done } = notedSocket();
  const watch = new PeerWatch(socket);
  for (let times = 0; times < 5; times++) watch.ask(false);
  expect(done).toEqual([]);
});

it('a peer for which something waits is neither asked nor cut here', () => {
  const { socket, done } = notedSocket(1);
  const watch = new PeerWatch(socket);
  for (let times = 0; times < 5; times++) watch.ask(true);
  expect(done).toEqual([]);
});

it('a peer of whose message more and more comes is not cut', () => {
  const { socket, done } = notedSocket();
  const moving = { ...socket, readBytes: 0 };
  const watch = new PeerWatch(moving);
  for (let times = 0; times < 5; times++) {
    moving.readBytes += 1;
    watch.ask(true);
  }
  expect(done).not.toContain('terminate');
});
