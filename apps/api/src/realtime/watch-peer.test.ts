import type { RealtimeSocket } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { PeerWatch } from './watch-peer.ts';

/** A fake socket that records its calls. */
function recordingSocket(waitingBytes = 0) {
  const done: string[] = [];
  const note = (what: string) => (): void => void done.push(what);
  const socket: RealtimeSocket = {
    waitingBytes,
    readBytes: 0,
    closeWhenStalled: note('closeWhenStalled'),
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

it('cuts a peer that misses two pings, and keeps one that sends pongs', () => {
  const { socket, done } = recordingSocket();
  const watch = new PeerWatch(socket);
  for (let times = 0; times < 5; times++) {
    watch.ping(true);
    watch.ping(true);
    watch.active();
  }
  expect(done).toEqual(Array.from({ length: 10 }, () => 'ping'));
  watch.ping(true);
  watch.ping(true);
  watch.ping(true);
  expect(done.slice(10)).toEqual(['ping', 'ping', 'terminate']);
});

it('neither pings nor cuts a peer whose socket is not read', () => {
  const { socket, done } = recordingSocket();
  const watch = new PeerWatch(socket);
  for (let times = 0; times < 5; times++) watch.ping(false);
  expect(done).toEqual([]);
});

it('neither pings nor cuts a peer with pending data', () => {
  const { socket, done } = recordingSocket(1);
  const watch = new PeerWatch(socket);
  for (let times = 0; times < 5; times++) watch.ping(true);
  expect(done).toEqual([]);
});

it('does not cut a peer whose message is still arriving', () => {
  const { socket, done } = recordingSocket();
  const moving = { ...socket, readBytes: 0 };
  const watch = new PeerWatch(moving);
  for (let times = 0; times < 5; times++) {
    moving.readBytes += 1;
    watch.ping(true);
  }
  expect(done).not.toContain('terminate');
});
