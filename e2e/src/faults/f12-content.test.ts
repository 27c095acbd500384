import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { endings } from './violations.ts';

const CHUNK = Buffer.alloc(256 * 1024, 'video');
const CHUNKS = 96; // 24 MiB in total, much more than all buffers between the file and a slow reader.
const VIDEO_BYTES = CHUNK.length * CHUNKS;
const READERS = 200;
/** The API would grow by 4.7 GiB if it buffered the files for its slow readers. */
const MAX_GROWTH_BYTES = 500 * 1024 * 1024;

let stack: Stack;
let vendor: Server;
const readers: Socket[] = [];
afterEach(async () => {
  for (const reader of readers) reader.destroy();
  await stack.close();
  vendor.closeAllConnections();
  vendor.close();
});

const largeJob = (status: string) => ({ id: 'video_large', object: 'video', status, progress: 50, seconds: '1' });

/** A `videos` vendor with a large video. Its first download is cut off. */
async function startLargeVendor(): Promise<{ url: string; downloads: () => number }> {
  let downloads = 0;
  vendor = createServer((request, response) => {
    if (request.url?.endsWith('/content') === true) {
      downloads += 1;
      void sendVideo(response, downloads === 1 ? CHUNKS / 2 : CHUNKS);
      return;
    }
    request.resume().once('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(largeJob(request.method === 'POST' ? 'queued' : 'completed')));
    });
  }).listen(0, '127.0.0.1');
  await once(vendor, 'listening');
  const address = vendor.address();
  if (typeof address !== 'object' || !address) throw new Error('The vendor has no port.');
  return { url: `http://127.0.0.1:${address.port}/v1`, downloads: () => downloads };
}

async function sendVideo(response: ServerResponse, chunks: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': VIDEO_BYTES });
  for (let i = 0; i < chunks && !response.destroyed; i++) {
    const chunk = i === 0 ? Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), CHUNK.subarray(12)]) : CHUNK;
    if (!response.write(chunk)) await once(response, 'drain').catch(() => undefined);
  }
  if (chunks < CHUNKS) response.socket?.resetAndDestroy();
  else response.end();
}

/** Returns how many files of the content store a process has open. */
function openVideos(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('.mp4');
    } catch {
      return false; // The file was closed after it was listed.
    }
  }).length;
}

function memoryBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** Requests the video on a separate socket, reads the first chunk, and then stops reading. */
async function startSlowReader(origin: string, id: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  readers.push(socket);
  socket.on('error', () => undefined); // The test destroys the socket at its end.
  socket.write(`GET /v1/videos/${id}/content HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${KEY}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer]; // The cast is safe because a `data` event carries a buffer.
  expect(first.toString('latin1', 0, 12)).toBe('HTTP/1.1 200');
  socket.pause();
  return socket;
}

describe('a large video', () => {
  it('is downloaded again if the vendor disconnects; 200 slow readers use little memory and delay no other; readers can disconnect', async () => {
    const { url, downloads } = await startLargeVendor();
    stack = await startStack({ upstream: { base_url: url } });
    const client = new Client(stack.origin, KEY);
    const { id } = await client.create('a large video', 'large');
    expect(endings([id], await new HistoryChecker(client).watch([id], 60_000))).toEqual(['completed']);
    expect(downloads()).toBe(2);

    const pid = stack.api.process.pid ?? 0;
    const before = memoryBytes(pid);
    for (let started = 0; started < READERS; started += 20) {
      await Promise.all(Array.from({ length: 20 }, () => startSlowReader(stack.origin, id)));
    }
    expect(openVideos(pid)).toBe(READERS);
    const complete = await client.fetch(`/v1/videos/${id}/content`);
    expect((await complete.arrayBuffer()).byteLength).toBe(VIDEO_BYTES);
    expect((await client.retrieve(id))?.status).toBe('completed');
    expect(memoryBytes(pid) - before).toBeLessThan(MAX_GROWTH_BYTES);

    for (const reader of readers) reader.resetAndDestroy();
    await expect.poll(() => openVideos(pid)).toBe(0);
    const again = await client.fetch(`/v1/videos/${id}/content`, { headers: { range: 'bytes=4-7' } });
    expect(await again.text()).toBe('ftyp');
  }, 180_000);
});
