import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { respondToRequests, announceReady } from '../subjects/requests.ts';
import { type Spread, spreadOf } from '../measure/statistics.ts';

/**
 * A minimal vendor with the videos API, in its own process. A job of model `endless` never completes. A job of model
 * `video-N` completes immediately with N bytes. The vendor records when each submission arrives and how late each poll
 * is, compared with the `retry-after-ms` of the previous response.
 */
const CHUNK = Buffer.alloc(64 * 1024);
const HEAD = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1');
/** The poll interval varies by this fraction, so that tasks created together are not polled together. */
const JITTER = 0.15;

let intervalMs = 5_000;
let jobs = 0;
let polls = 0;
/**
 * For each task: the number of its submissions, and when the headers of the first one arrived (nanoseconds of the
 * machine's monotonic clock).
 */
let submissions = new Map<string, { atNs: bigint; count: number }>();
let dueAt = new Map<string, number>();
let lateness: number[] = [];

function receiveSubmission(request: IncomingMessage, response: ServerResponse): void {
  const taskId = String(request.headers['x-client-request-id'] ?? '');
  const known = submissions.get(taskId);
  if (known) known.count += 1;
  else submissions.set(taskId, { atNs: process.hrtime.bigint(), count: 1 });
  let body = '';
  request.setEncoding('latin1');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    const model = /(?:name="model"\r\n\r\n|"model":\s*")([\w-]+)/.exec(body)?.[1] ?? 'endless';
    jobs += 1;
    reply(response, { id: `${model}.${jobs}`, object: 'video', status: 'queued', progress: 0, model });
  });
}

function respondToPoll(id: string, response: ServerResponse): void {
  const now = performance.now();
  polls += 1;
  const due = dueAt.get(id);
  if (due !== undefined) lateness.push(now - due);
  if (id.startsWith('video-')) {
    reply(response, { id, object: 'video', status: 'completed', progress: 100 });
    return;
  }
  const wait = Math.round(intervalMs * (1 - JITTER + 2 * JITTER * Math.random()));
  response.setHeader('retry-after-ms', wait);
  reply(response, { id, object: 'video', status: 'in_progress', progress: 10 });
  dueAt.set(id, performance.now() + wait);
}

function sendVideo(id: string, response: ServerResponse): void {
  const bytes = Number(/^video-(\d+)/.exec(id)?.[1] ?? HEAD.byteLength);
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes });
  pipeline(
    Readable.from(video(bytes), { objectMode: false, highWaterMark: CHUNK.byteLength }),
    response,
    () => undefined,
  );
}

function* video(bytes: number): Generator<Buffer> {
  yield HEAD;
  for (let left = bytes - HEAD.byteLength; left > 0; left -= CHUNK.byteLength) yield CHUNK.subarray(0, left);
}

function reply(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Counts since the last reset. */
export interface VendorCount {
  /** Number of different tasks submitted; `posts` also counts repeated submissions. */
  tasks: number;
  posts: number;
  polls: number;
}

const server = createServer((request, response) => {
  const [, , , id = '', rest] = (request.url ?? '').split('/');
  if (request.method === 'POST') receiveSubmission(request, response);
  else if (rest === 'content') sendVideo(id, response);
  else respondToPoll(id, response);
});
server.keepAliveTimeout = 60_000;

respondToRequests({
  setInterval: (ms) => (intervalMs = Number(ms)),
  count: (): VendorCount => ({
    tasks: submissions.size,
    posts: [...submissions.values()].reduce((sum, { count }) => sum + count, 0),
    polls,
  }),
  lateness: (): Spread => spreadOf(lateness),
  forgetLateness: () => {
    lateness = [];
  },
  arrivals: () => Object.fromEntries([...submissions].map(([id, { atNs }]) => [id, String(atNs)])),
  clear: () => {
    submissions = new Map();
    dueAt = new Map();
    lateness = [];
    polls = 0;
  },
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  announceReady(typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '');
});
