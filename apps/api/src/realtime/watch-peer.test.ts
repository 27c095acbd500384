import type { RealtimeSocket } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { PeerWatch } from './watch-peer.ts';

/** A socket that notes what is done to it. */
function notedSocket(waitingBytes = 0) {
  const done: string[] = [];
  const note = (what: string) => (): void => void done.push(what);
  const socket: RealtimeSocket = {
    waitingBytes,
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
    watch.heard();
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

it('a peer that takes nothing of what waits for it is cut without pings', () => {
  const { socket, done } = notedSocket(1);
  const watch = new PeerWatch(socket);
  for (let times = 0; times < 3; times++) watch.ask(true);
  expect(done).toEqual(['terminate']);
});
